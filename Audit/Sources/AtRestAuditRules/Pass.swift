import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestFormats

/// One run of the checks over a file or over the project, which collects the findings.
final class Pass {
  let inspector: Inspector
  private(set) var findings: [Finding] = []
  /// The names under which the code stores values.
  private(set) var writes: [StorageWrite] = []
  /// The secrets that are not reported.
  private(set) var secrets: [Finding.Secret] = []

  /// The files in which something was found and left out, because a name says that it is a sample, a
  /// test, or for developers.
  private(set) var silenced: Set<String> = []
  private var isSilent = false
  /// The files with findings that are notes, because nothing leads to the code.
  private(set) var unreached: Set<String> = []

  init(_ project: ProjectFacts, _ uses: SecretUses? = nil) {
    inspector = Inspector(project: project, uses: uses)
  }

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

  /// Returns true if an expression is part of a variable whose name says that its value is invented.
  func isStandIn(_ expression: Expression, _ scope: Scope) -> Bool {
    standIns(in: scope.file).contains { $0.contains(expression.range.lowerBound) }
      || scope.variables.contains {
        StandIns.contains($0.name) && $0.range.contains(expression.range.lowerBound)
      }
  }

  var project: ProjectFacts { inspector.project }

  /// Returns true if the name of a type's property shows a secret, by itself or by a use.
  func isCredible(_ name: String, of owner: String) -> Bool {
    !WeakNames.contains(name, of: owner)
      || inspector.uses?.witness(for: name, owner: owner, file: "") != nil
  }

  /// Runs checks. If `silent` is true, what they find is left out, and the report names the files.
  func silently(_ silent: Bool, _ checks: () -> Void) {
    let outer = isSilent
    isSilent = outer || silent
    checks()
    isSilent = outer
  }

  func record(_ write: StorageWrite) { writes.append(write) }

  /// Records secrets that are not reported, such as those of examples, so that reports mask them in
  /// the lines of other findings.
  func conceal(_ secrets: [Finding.Secret]) { self.secrets += secrets }

  /// Returns the secrets of a value that is written in the code, or none if its value is not known.
  func secrets(in value: Expression, _ scope: Scope) -> [Finding.Secret] {
    inspector.constant(value, in: scope)?.secrets ?? []
  }

  /// Returns true for the rules about secrets in the code itself, which are in the program whether or not the
  /// code around them runs.
  private static func isInProgram(_ rule: RuleID) -> Bool {
    rule == .hardcodedKey || rule == .hardcodedCredential
  }

  /// Records a finding in a source file.
  func report(
    _ rule: RuleID, at range: Range<Int32>, in file: SourceFile, severity: Severity? = nil,
    _ message: String, trail: [Finding.Step] = [], secrets: [Finding.Secret] = [],
    basis: Basis? = nil
  ) {
    let isForTests = Self.isInProgram(rule) && needsLaunchArgument(range, in: file)
    report(
      rule, at: file.location(of: range), severity: isForTests ? .note : severity, message,
      trail: trail, secrets: secrets, basis: basis)
  }

  /// Returns true if code runs only with an argument that tests give the app.
  private func needsLaunchArgument(_ range: Range<Int32>, in file: SourceFile) -> Bool {
    guard let index = project.files.firstIndex(where: { $0 === file }) else { return false }
    return project.scopes[index].contains { scope in
      scope.function?.range.contains(range.lowerBound) == true
        && inspector.needsLaunchArgument(range, in: scope)
    }
  }

  /// Returns true if a token is one by which a service reaches the device, according to its name, or
  /// to the function that handles it.
  private func isOfDevice(_ evidence: Evidence, in scope: Scope) -> Bool {
    let parameters = scope.function?.parameters.flatMap { [$0.label ?? "", $0.name] } ?? []
    let names = [evidence.name, scope.function?.name ?? "", scope.owner ?? ""] + parameters
    return names.contains(where: SensitiveKind.isOfDevice)
  }

  /// Returns true if a value is a code that is of no use after a moment, according to its name, or
  /// to the package that makes it.
  private func isOneTime(_ evidence: Evidence, in scope: Scope) -> Bool {
    guard evidence.sensitivity == .credential || evidence.sensitivity == .token else {
      return false
    }
    if scope.file.imports.contains("OneTimePassword") { return evidence.name.contains("assword") }
    return Self.isOfMoment(evidence.name)
  }

  /// Returns true for the name of a code that is of no use after a moment.
  static func isOfMoment(_ name: String) -> Bool {
    let words = Words.split(name)
    let phrase = words.joined(separator: " ")
    return
      (words.contains(where: Vocabulary.oneTimeWords.contains)
      || [
        "verification code", "confirmation code", "activation code", "backup code",
      ].contains {
        phrase.contains($0)
      })
      && !words.contains { ["secret", "seed", "key", "uri", "url"].contains($0) }
  }

  /// Returns true for the secret by which a service knows an app. It opens nobody's account alone.
  static func isOfApp(_ name: String) -> Bool {
    let words = Words.split(name).filter { $0.first?.isLetter == true }
    // A token that attests which app asks.
    let attests =
      words.contains("attestation")
      || zip(words, words.dropFirst()).contains { $0 == "app" && $1 == "check" }
    return attests
      || words.last == "secret" && words.contains { ["client", "consumer", "app"].contains($0) }
  }

  /// Returns true if a credential is for one call over the network, and of no use after it.
  private func isOfCall(_ evidence: Evidence, in scope: Scope) -> Bool {
    [evidence.name, scope.function?.name ?? "", scope.owner ?? ""].flatMap(Words.split).contains {
      ["sdp", "ice", "stun", "candidate"].contains($0)
    } || scope.owner?.lowercased().contains("voip") == true
      // Whoever invites people to a conference sends them its password.
      || Words.split(evidence.name).contains { ["conference", "meeting"].contains($0) }
  }

  func report(
    _ rule: RuleID, at location: Location, severity: Severity? = nil, _ message: String,
    trail: [Finding.Step] = [], secrets: [Finding.Secret] = [], basis: Basis? = nil
  ) {
    guard !isSilent else {
      silenced.insert(location.path)
      conceal(secrets)
      return
    }
    let sentence = Self.sentence(message)
    var severity = severity ?? Rulebook.severity(of: rule)
    if severity > .note, !Self.isInProgram(rule), !project.reach.isReached(location) {
      severity = .note
      unreached.insert(location.path)
    }
    findings.append(
      Finding(
        rule: rule, severity: severity, location: location,
        message: sentence, trail: trail, anchor: sentence, secrets: secrets,
        basis: basis))
  }

  func report(
    _ rule: RuleID, at expression: Expression, in scope: Scope, severity: Severity? = nil,
    _ message: String, trail: [Finding.Step] = [], secrets: [Finding.Secret] = []
  ) {
    let severity = severity ?? Rulebook.severity(of: rule)
    report(
      rule, at: expression.range, in: scope.file,
      severity: min(severity, highest(in: scope)), message, trail: trail,
      secrets: secrets)
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
    severity: Severity? = nil, _ what: String, secrets: [Finding.Secret] = []
  ) {
    report(
      rule, evidence, at: expression.range, in: scope, severity: severity, what, secrets: secrets)
  }

  /// Records that a sensitive value is exposed at a range. Evidence that is too weak is dropped.
  func report(
    _ rule: RuleID, _ evidence: Evidence, at range: Range<Int32>, in scope: Scope,
    severity: Severity? = nil, _ what: String, secrets: [Finding.Secret] = []
  ) {
    guard let weight = inspector.weigh(evidence, in: scope) else {
      conceal(secrets)
      return
    }
    let most: Severity =
      if evidence.sensitivity == .token && isOfDevice(evidence, in: scope)
        || isOneTime(evidence, in: scope) || isOfCall(evidence, in: scope)
        || Self.isOfApp(evidence.name)
      {
        .low
      } else {
        evidence.sensitivity.isSecret || evidence.sensitivity == .payment ? .high : .medium
      }
    let wanted = severity ?? min(most, Rulebook.severity(of: rule))
    let limit =
      weight.basis.tier == .named && evidence.sensitivity.isSecret
      ? Self.named[rule] ?? weight.limit : weight.limit
    report(
      rule, at: range, in: scope.file,
      severity: min(
        wanted, limit, highest(in: scope), isNeverSet(scope) ? .low : .high),
      what.replacingFirst("#", with: evidence.description), trail: evidence.trail.reversed(),
      secrets: secrets,
      basis: Basis(
        weight.basis.tier, witnesses: weight.basis.witnesses,
        cause: weight.basis.tier == .named
          ? WeakNames.words(of: evidence.subject).joined(separator: " ")
          : Self.cause(of: evidence, in: scope)))
  }

  /// The highest severity of a finding about a secret that only its name shows, for the rules whose findings
  /// of this kind were right in the judged apps. Names with several meanings are no evidence for them either.
  private static let named: [RuleID: Severity] = [
    .userDefaultsSensitive: .medium, .pasteboard: .medium,
  ]

  /// Returns the highest severity of a finding in code: a note if nothing calls the code, and low if
  /// it is deprecated.
  func highest(in scope: Scope) -> Severity {
    project.neverCalls(scope) ? .note : scope.isDeprecated ? .low : .high
  }

  /// Returns true for the setter of a static property to which no code assigns anything.
  private func isNeverSet(_ scope: Scope) -> Bool {
    guard let setter = scope.function, setter.name == "set", let owner = scope.owner,
      let property = project.types[owner]?.variables.values.first(where: { entry in
        entry.variable.accessors.contains { $0 === setter }
      })?.variable
    else { return false }
    return property.isStatic && !project.hasAssignment(to: property.name)
  }

  /// Returns the name of the value that a finding is about, with its type or its file. If there is nothing but
  /// the name, it is the cause wherever it occurs.
  private static func cause(of evidence: Evidence, in scope: Scope) -> String {
    "\(evidence.owner ?? scope.file.path) \(evidence.subject)"
  }
}

extension String {
  fileprivate func replacingFirst(_ mark: Character, with text: String) -> String {
    guard let index = firstIndex(of: mark) else { return self }
    return self[..<index] + text + self[self.index(after: index)...]
  }
}
