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

  /// Returns true if an archive comes from the preferences or the keychain, which only the app
  /// itself writes.
  private static func isOwn(
    _ data: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> Bool {
    guard depth < 6 else { return false }
    // The app and its companion on the watch trust each other.
    if scope.file.imports.contains("WatchConnectivity") { return true }
    switch data.bare.kind {
    case .call(let callee, let arguments):
      let name = callee.lastName ?? ""
      // What the app has sealed is its own, too.
      if isStore(name) || name.lowercased().contains("decrypt") { return true }
      guard case .member(let base?, _) = callee.kind else { return false }
      return isStore(base.written)
        || pass.inspector.type(of: base, in: scope).map(isStore) == true
        || arguments.isEmpty && isOwn(base, scope, pass, depth: depth + 1)
    case .name(let name):
      if readsKeychain(into: name, scope) { return true }
      switch pass.inspector.meaning(of: name, in: scope, at: data.bare) {
      case .local(let bindings, _, let home):
        return bindings.contains { isOwn($0.value, home, pass, depth: depth + 1) }
      case .closure(let handler, let index, let home):
        return pass.inspector.values(of: handler, index, in: home).contains {
          isOwn($0.value, $0.scope, pass, depth: depth + 1)
        }
      default: return false
      }
    case .index(let base, _): return isStore(base.written)
    case .binary(let left, "??", _): return isOwn(left, scope, pass, depth: depth + 1)
    default: return false
    }
  }

  private static func isStore(_ name: String) -> Bool {
    let lower = name.lowercased()
    return lower.contains("defaults") || lower.contains("keychain") || lower.contains("preferences")
  }

  /// Returns true if `SecItemCopyMatching` stores its result in a variable.
  private static func readsKeychain(into name: String, _ scope: Scope) -> Bool {
    scope.calls.contains { call in
      call.name == "SecItemCopyMatching" && call[1]?.bare.pointerRoot == name
    }
  }

  /// Returns true if a function reads what another app or device can send. An archive that only the
  /// app writes has to be changed on the device first.
  private static func comesFromOutside(_ scope: Scope) -> Bool {
    let names =
      [scope.function?.name ?? "", scope.owner ?? ""]
      + (scope.function?.parameters ?? []).flatMap { [$0.label ?? "", $0.name, $0.type ?? ""] }
      + scope.calls.flatMap { [$0.name, $0.receiver?.written ?? ""] }
    return names.contains { name in
      let lower = name.lowercased()
      return outside.contains { lower.contains($0) }
    }
  }

  private static let outside = [
    "pasteboard", "dragging", "dropsession", "itemprovider", "loaditem", "mcsession", "wcsession",
    "urlsession", "openurl", "netservice", "peripheral", "didreceivemessage", "cloudkit",
    "ckrecord",
  ]

  static func add(to set: inout CheckSet) {
    set.onCall(unchecked) { call, scope, pass in
      guard let receiver = call.receiver?.lastName, receiver.contains("Unarchiver"),
        pass.project.types[receiver] == nil
          || pass.project.type(receiver, is: ["NSKeyedUnarchiver"])
      else { return }
      pass.report(
        .insecureArchive, at: call.expression, in: scope,
        severity: !call.name.hasSuffix("WithFile") && call["withFile"] == nil
          && comesFromOutside(scope) && call[0].map({ isOwn($0, scope, pass) }) != true
          ? nil : .low,
        "\(call.name) creates objects of any class that the archive names")
    }
    set.onAssignment(["requiresSecureCoding"]) { assignment, scope, pass in
      guard case .boolean(false) = assignment.value.kind else { return }
      pass.report(
        .insecureArchive, at: assignment.expression, in: scope,
        severity: comesFromOutside(scope) ? nil : .low,
        "this creates objects of any class that the archive names")
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
