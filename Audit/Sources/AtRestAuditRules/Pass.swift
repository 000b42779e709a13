import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestFormats

/// One run of the checks over a file or over the project, which collects the findings.
final class Pass {
  let inspector: Inspector
  private(set) var findings: [Finding] = []
  /// The names under which the code stores values.
  private(set) var writes: [StorageWrite] = []

  init(_ project: ProjectFacts) { inspector = Inspector(project: project) }

  /// The ranges of the variables of a file that hold samples and the like.
  private var standIns: [String: [Range<Int32>]] = [:]

  /// Returns the ranges of the variables of a file whose names say that their values are invented.
  func standIns(in file: SourceFile) -> [Range<Int32>] {
    if let known = standIns[file.path] { return known }
    func variables(_ types: [TypeDeclaration]) -> [Variable] {
      types.flatMap { $0.variables + variables($0.types) }
    }
    let ranges = (file.variables + variables(file.types)).filter { StandIns.contains($0.name) }
      .map(\.range)
    standIns[file.path] = ranges
    return ranges
  }

  var project: ProjectFacts { inspector.project }

  func record(_ write: StorageWrite) { writes.append(write) }

  /// Records a finding in a source file.
  func report(
    _ rule: RuleID, at range: Range<Int32>, in file: SourceFile, severity: Severity? = nil,
    _ message: String, trail: [Finding.Step] = [], secrets: [Location] = []
  ) {
    report(
      rule, at: file.location(of: range), severity: severity, message, trail: trail,
      secrets: secrets)
  }

  /// Returns true if a token is one by which a service reaches the device, according to its name, or
  /// to the function that handles it.
  private func isOfDevice(_ evidence: Evidence, in scope: Scope) -> Bool {
    let parameters = scope.function?.parameters.flatMap { [$0.label ?? "", $0.name] } ?? []
    let names = [evidence.name, scope.function?.name ?? "", scope.owner ?? ""] + parameters
    return names.contains(where: SensitiveKind.isOfDevice)
  }

  func report(
    _ rule: RuleID, at location: Location, severity: Severity? = nil, _ message: String,
    trail: [Finding.Step] = [], secrets: [Location] = []
  ) {
    let sentence = Self.sentence(message)
    findings.append(
      Finding(
        rule: rule, severity: severity ?? Rulebook.severity(of: rule), location: location,
        message: sentence, trail: trail, anchor: sentence, secrets: secrets))
  }

  func report(
    _ rule: RuleID, at expression: Expression, in scope: Scope, severity: Severity? = nil,
    _ message: String, trail: [Finding.Step] = []
  ) {
    report(
      rule, at: expression.range, in: scope.file, severity: severity, message, trail: trail)
  }

  /// Returns the message with a full stop, and with a capital letter unless it begins with an
  /// identifier.
  private static func sentence(_ message: String) -> String {
    let first = message.prefix { $0 != " " }
    let isWord = first.allSatisfy { $0.isLowercase }
    let start = isWord ? first.prefix(1).uppercased() + message.dropFirst() : message
    return start.hasSuffix(".") ? start : start + "."
  }

  /// Records that a sensitive value is exposed. A `#` in the message stands for the value.
  func report(
    _ rule: RuleID, _ evidence: Evidence, at expression: Expression, in scope: Scope,
    severity: Severity? = nil, _ what: String
  ) {
    let isGrave =
      (evidence.sensitivity.isSecret || evidence.sensitivity == .payment)
      && !(evidence.sensitivity == .token && isOfDevice(evidence, in: scope))
    report(
      rule, at: expression, in: scope,
      severity: severity
        ?? (isGrave
          ? Rulebook.severity(of: rule) : min(.medium, Rulebook.severity(of: rule))),
      what.replacingFirst("#", with: evidence.description), trail: evidence.trail.reversed())
  }
}

extension String {
  fileprivate func replacingFirst(_ mark: Character, with text: String) -> String {
    guard let index = firstIndex(of: mark) else { return self }
    return self[..<index] + text + self[self.index(after: index)...]
  }
}
