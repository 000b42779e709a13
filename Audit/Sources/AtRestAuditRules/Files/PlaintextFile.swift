import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let plaintextFile = RuleID("plaintext-file")
}

/// Finds secrets and personal data in files.
enum PlaintextFile: CodeRule {
  static let rule = Rule(
    .plaintextFile, "Secret or personal data in a file",
    severity: .high, level: .required,
    consequence:
      "The file contains the value in the clear, so anyone who has a backup or the device's files "
      + "can read it.",
    remedy:
      "Encrypt the data with a key from the keychain, for example with AES.GCM.seal, and write it "
      + "with .completeFileProtection. Store short values in the keychain itself.",
    references: .plaintext,
    bad: .init(
      "Token.swift",
      """
      func save(accessToken: String, to file: URL) throws {
        try accessToken.write(to: file, atomically: true, encoding: .utf8)
      }
      """),
    good: .init(
      "Token.swift",
      """
      func save(accessToken: String, to file: URL, key: SymmetricKey) throws {
        let sealed = try AES.GCM.seal(Data(accessToken.utf8), using: key).combined!
        try sealed.write(to: file, options: .completeFileProtection)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["write", "writeData"]) { call, scope, pass in
      guard let handle = call.receiver, let value = call[0], call["to"] == nil,
        pass.inspector.type(of: handle, in: scope).map(TypeName.plain)?.hasSuffix("FileHandle")
          == true,
        !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(of: value, in: scope)
          ?? StorageChecks.record(of: value, scope, pass)
      else { return }
      pass.report(
        .plaintextFile, found, at: call.expression, in: scope,
        "# is written to a file in the clear")
    }
  }
}
