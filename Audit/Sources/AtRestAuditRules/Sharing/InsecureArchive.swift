import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let insecureArchive = RuleID("insecure-archive")
}

/// Archive that may make objects of any class.
enum InsecureArchive: CodeRule {
  static let rule = Rule(
    .insecureArchive, "Archive that may make objects of any class",
    severity: .medium, level: .required,
    consequence:
      "Who can change the archive decides which classes are made and with what, and may so make "
      + "the app run what they like.",
    remedy:
      "Adopt NSSecureCoding, read with unarchivedObject(ofClass:from:), and write with "
      + "requiringSecureCoding: true; or use Codable.",
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

  static func add(to set: inout CheckSet) {
    set.onCall([
      "unarchiveObject", "unarchiveObjectWithData", "unarchiveObjectWithFile",
      "unarchiveTopLevelObjectWithData",
    ]) { call, scope, pass in
      guard call.receiver?.lastName?.contains("Unarchiver") == true else { return }
      pass.report(
        .insecureArchive, at: call.expression, in: scope,
        "\(call.name) makes objects of whatever class the archive names")
    }
    set.onAssignment(["requiresSecureCoding"]) { assignment, scope, pass in
      guard case .boolean(false) = assignment.value.kind else { return }
      pass.report(
        .insecureArchive, at: assignment.expression, in: scope,
        "objects of whatever class the archive names are made")
    }
    set.onCall(["archivedData", "archivedDataWithRootObject", "NSKeyedArchiver"]) {
      call, scope, pass in
      guard let secure = call["requiringSecureCoding"], case .boolean(false) = secure.kind else {
        return
      }
      pass.report(
        .insecureArchive, at: call.expression, in: scope,
        "what is archived without secure coding can only be read back without it")
    }
    set.onType { type, file, pass in
      guard type.inherited.contains("NSCoding"), !type.inherited.contains("NSSecureCoding"),
        pass.project.types[type.name]?.inherited.contains("NSSecureCoding") != true,
        type.form != .protocol
      else { return }
      let end = type.nameOffset + Int32(clamping: type.name.utf8.count)
      pass.report(
        .insecureArchive, at: type.nameOffset..<max(end, type.nameOffset + 1), in: file,
        "\(type.name) is NSCoding and not NSSecureCoding, so its archives are read unchecked")
    }
  }
}
