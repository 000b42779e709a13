import AtRestAuditModel

extension RuleID {
  static let passwordAsKey = RuleID("password-as-key")
}

/// Finds passwords that are used directly as keys.
enum PasswordAsKey: CodeRule {
  static let rule = Rule(
    .passwordAsKey, "Password used directly as a key",
    severity: .medium, level: .required,
    consequence:
      "People type few characters, so there are few possible keys, and each can be tried at the "
      + "full speed of the cipher.",
    remedy:
      "Derive the key from the password with CCKeyDerivationPBKDF, a random salt and 600,000 "
      + "rounds of SHA-256, or encrypt with a random key from the keychain.",
    references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [326, 916]),
    bad: .init(
      "Seal.swift",
      """
      import CryptoKit

      func seal(_ note: Data, password: String) throws -> Data? {
        try AES.GCM.seal(note, using: SymmetricKey(data: Data(password.utf8))).combined
      }
      """),
    good: .init(
      "Seal.swift",
      """
      import CryptoKit

      func seal(_ note: Data, password: String, salt: Data) throws -> Data? {
        let derived = pbkdf2(password, salt: salt, rounds: 600_000)
        return try AES.GCM.seal(note, using: SymmetricKey(data: derived)).combined
      }
      """))
}
