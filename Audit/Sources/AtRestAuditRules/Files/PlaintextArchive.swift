import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let plaintextArchive = RuleID("plaintext-archive")
}

/// Finds secrets and personal data in keyed archives.
enum PlaintextArchive: CodeRule {
  static let rule = Rule(
    .plaintextArchive, "Secret or personal data in a keyed archive",
    severity: .high, level: .required,
    consequence:
      "An archive of NSKeyedArchiver is a property list, so anyone who has a backup or the "
      + "device's files can read the value in it.",
    remedy:
      "Encrypt the archived data with a key from the keychain, for example with AES.GCM.seal, "
      + "before it is written.",
    references: .plaintext,
    bad: .init(
      "Account.swift",
      """
      func save(password: String, to file: URL) throws {
        let data = try NSKeyedArchiver.archivedData(
          withRootObject: ["password": password], requiringSecureCoding: true)
        try data.write(to: file)
      }
      """),
    good: .init(
      "Account.swift",
      """
      func save(password: String, to file: URL, key: SymmetricKey) throws {
        let data = try NSKeyedArchiver.archivedData(
          withRootObject: ["password": password], requiringSecureCoding: true)
        let sealed = try AES.GCM.seal(data, using: key).combined!
        try sealed.write(to: file, options: .completeFileProtection)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["archiveRootObject"]) { call, scope, pass in
      guard let value = call[0], let place = call["toFile"] else { return }
      guard let found = FileChecks.evidence(value, place, scope, pass) else { return }
      pass.report(
        .plaintextArchive, found, at: call.expression, in: scope,
        "# is archived to a file in the clear")
    }
  }
}
