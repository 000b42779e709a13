import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let staticSalt = RuleID("static-salt")
}

/// Finds salts that are the same for every password.
enum StaticSalt: CodeRule {
  static let rule = Rule(
    .staticSalt, "Same salt for every password",
    severity: .medium, level: .required,
    consequence:
      "One table of guesses works for all users at once, and equal passwords have equal hashes.",
    remedy:
      "Generate 16 bytes with SecRandomCopyBytes for each password, and store them next to the "
      + "derived value. A salt need not be secret.",
    references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [760]),
    bad: .init(
      "Derive.swift",
      """
      import CryptoSwift

      func key(_ password: String) throws -> [UInt8] {
        let salt = Array("notes-salt-2019".utf8)
        return try PKCS5.PBKDF2(
          password: Array(password.utf8), salt: salt, iterations: 600_000
        ).calculate()
      }
      """),
    good: .init(
      "Derive.swift",
      """
      import CryptoSwift

      func key(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        try PKCS5.PBKDF2(
          password: Array(password.utf8), salt: salt, iterations: 600_000
        ).calculate()
      }
      """))

  static func salt(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value = value.map({ CryptographyChecks.source(of: $0, scope) }), !value.isNull,
      let constant = pass.inspector.constant(value, in: scope), !scope.fills(value),
      !CryptographyChecks.isSeedOfWallet(scope), constant.text?.hasPrefix("mnemonic") != true
    else { return }
    pass.report(
      .staticSalt, at: constant.location, "the salt is the same for every user and installation",
      trail: [Finding.Step(scope.location(of: value.range), "used as a salt here")])
  }
}
