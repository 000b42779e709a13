import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let insecureArchive = RuleID("insecure-archive")
}

/// Archive that can create objects of any class.
enum InsecureArchive: CodeRule {
  static let rule = Rule(
    .insecureArchive, "Archive that can create objects of any class",
    severity: .medium, level: .required,
    consequence:
      "Anyone who can change the archive decides which classes are instantiated and with which "
      + "values, and may thereby make the app run what they like.",
    remedy:
      "Adopt NSSecureCoding, read with unarchivedObject(ofClass:from:), and write with "
      + "requiringSecureCoding: true. Alternatively, use Codable.",
    references: .init(
      masvs: ["MSTG-PLATFORM-8"], mastg: ["MASTG-TEST-0386"], cwe: [502]),
    bad: .init(
      "Load.swift",
      """
      func load(_ data: Data) -> [Any]? {
        NSKeyedUnarchiver.unarchiveObject(with: data) as? [Any]
      }
      """),
    good: .init(
      "Load.swift",
      """
      func load(_ data: Data) throws -> [NSString]? {
        try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: NSString.self, from: data)
      }
      """))

  /// The functions that create objects of any class.
  private static let unchecked = [
    "unarchiveObject", "unarchiveObjectWithData", "unarchiveObjectWithFile",
    "unarchiveTopLevelObjectWithData",
  ]

  /// The functions that create objects of the given classes only.
  private static let checked = [
    "unarchivedObject", "unarchivedArrayOfObjects", "unarchivedDictionary",
    "unarchivedObjectOfClass", "unarchivedObjectOfClasses",
  ]

  /// Returns true if the project reads archives. If it does so insecurely, the flaw is reported
  /// there, and not again where the archive is written.
  private static func isRead(_ project: ProjectFacts) -> Bool {
    (checked + unchecked).contains { project.calls[$0] != nil } || isReadUnchecked(project)
  }

  /// Returns true if the project reads archives without naming the classes in them.
  private static func isReadUnchecked(_ project: ProjectFacts) -> Bool {
    project.hasAssignment(to: "requiresSecureCoding")
      || unchecked.contains { name in
        project.calls[name]?.contains { $0.call.receiver?.lastName?.contains("Unarchiver") == true }
          == true
      }
  }

  /// Returns true if a type, or a type of one of its properties, has a property for a secret.
  private static func holdsSecret(
    _ type: String, _ project: ProjectFacts, depth: Int = 0
  ) -> Bool {
    (project.types[TypeName.plain(type)]?.variables ?? [:]).contains { name, variable in
      SensitiveKind.ofName(name)?.isSecret == true
        || depth < 2
          && variable.variable.type.map {
            holdsSecret($0.filter { !"[]".contains($0) }, project, depth: depth + 1)
          } == true
    }
  }

  /// Returns true if the project reads archives, and names the class each time. How they were
  /// written then opens nothing.
  private static func isReadSecurely(_ project: ProjectFacts) -> Bool {
    checked.contains { project.calls[$0] != nil }
      && unchecked.allSatisfy { project.calls[$0] == nil }
      && !project.hasAssignment(to: "requiresSecureCoding")
  }

  /// Returns true if an archive comes from the preferences, which only the app itself writes.
  private static func isOfDefaults(_ data: Expression, _ scope: Scope, _ pass: Pass) -> Bool {
    switch data.bare.kind {
    case .call(let callee, _):
      guard case .member(let base?, let name) = callee.kind,
        ["objectForKey", "dataForKey", "data", "object", "valueForKey"].contains(name)
      else { return false }
      return base.written.lowercased().contains("defaults")
    case .name(let name):
      guard case .local(let bindings, _, _) = pass.inspector.meaning(of: name, in: scope) else {
        return false
      }
      return bindings.contains {
        if case .name = $0.value.bare.kind { false } else { isOfDefaults($0.value, scope, pass) }
      }
    default: return false
    }
  }

  static func add(to set: inout CheckSet) {
    set.onCall(unchecked) { call, scope, pass in
      guard let receiver = call.receiver?.lastName, receiver.contains("Unarchiver"),
        pass.project.types[receiver] == nil
          || pass.project.type(receiver, is: ["NSKeyedUnarchiver"])
      else { return }
      pass.report(
        .insecureArchive, at: call.expression, in: scope,
        severity: call[0].map({ isOfDefaults($0, scope, pass) }) == true ? .low : nil,
        "\(call.name) creates objects of any class that the archive names")
    }
    set.onAssignment(["requiresSecureCoding"]) { assignment, scope, pass in
      guard case .boolean(false) = assignment.value.kind else { return }
      pass.report(
        .insecureArchive, at: assignment.expression, in: scope,
        "this creates objects of any class that the archive names")
    }
    set.onCall(["archivedData", "archivedDataWithRootObject", "NSKeyedArchiver"]) {
      call, scope, pass in
      guard let secure = call["requiringSecureCoding"], case .boolean(false) = secure.kind,
        !isReadSecurely(pass.project), !isRead(pass.project)
      else { return }
      pass.report(
        .insecureArchive, at: call.expression, in: scope, severity: .low,
        "an archive that is written without secure coding can only be read without secure coding")
    }
    set.onType { type, file, pass in
      guard type.inherited.contains("NSCoding"), !type.inherited.contains("NSSecureCoding"),
        pass.project.types[type.name]?.inherited.contains("NSSecureCoding") != true,
        type.form != .protocol, !isReadSecurely(pass.project),
        !isReadUnchecked(pass.project) || holdsSecret(type.name, pass.project)
      else { return }
      let end = type.nameOffset + Int32(clamping: type.name.utf8.count)
      pass.report(
        .insecureArchive, at: type.nameOffset..<max(end, type.nameOffset + 1), in: file,
        severity: .low,
        "\(type.name) adopts NSCoding but not NSSecureCoding, so its archives are read unchecked")
    }
  }
}
