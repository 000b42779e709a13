import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let weakKDF = RuleID("weak-kdf")
}

/// Finds key derivation with too few rounds.
enum WeakKDF: CodeRule {
  static let rule = Rule(
    .weakKDF, "Key derivation with too few rounds",
    severity: .medium, level: .required,
    consequence:
      "Each guess of the password costs next to nothing, so passwords that people choose are "
      + "found within hours.",
    remedy:
      "Call CCKeyDerivationPBKDF with at least 600,000 rounds for SHA-256, 210,000 for SHA-512 or "
      + "1,300,000 for SHA-1, and store the number so that it can be raised later.",
    references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [916]),
    bad: .init(
      "Derive.swift",
      """
      import CryptoSwift

      func key(_ password: [UInt8], salt: [UInt8]) throws -> [UInt8] {
        try PKCS5.PBKDF2(password: password, salt: salt, iterations: 1_000).calculate()
      }
      """),
    good: .init(
      "Derive.swift",
      """
      import CryptoSwift

      func key(_ password: [UInt8], salt: [UInt8]) throws -> [UInt8] {
        try PKCS5.PBKDF2(password: password, salt: salt, iterations: 600_000).calculate()
      }
      """))

  /// Returns the least number of PBKDF2 rounds for a hash.
  ///
  /// Source: OWASP Password Storage Cheat Sheet (2023, in force in 2026).
  static func leastRounds(_ hash: String) -> Int {
    let hash = hash.lowercased()
    if hash.contains("512") || hash.contains("384") { return 210_000 }
    if hash.contains("sha1") || hash.contains("sha_1") || hash.hasSuffix("sha") { return 1_300_000 }
    return 600_000
  }

  static func rounds(
    _ value: Expression?, hash: String, _ scope: Scope, _ pass: Pass, of function: String = "PBKDF2"
  ) {
    guard let value, let constant = pass.inspector.constant(value, in: scope),
      let count = constant.integer, count < leastRounds(hash),
      !CryptographyChecks.isSeedOfWallet(scope)
    else { return }
    pass.report(
      .weakKDF, at: constant.location,
      // More than a fifteenth of what is advised today was good advice a few years ago.
      severity: count * 15 > leastRounds(hash) ? .low : nil,
      "\(function) runs \(count) rounds, so passwords are guessed quickly. OWASP recommends "
        + "\(leastRounds(hash))",
      trail: [Finding.Step(scope.location(of: value.range), "used as the number of rounds here")])
  }

  /// Reports a cost of scrypt below 2^13, the least that OWASP allows.
  ///
  /// Source: OWASP Password Storage Cheat Sheet (2023, in force in 2026).
  static func scrypt(_ cost: Expression, _ scope: Scope, _ pass: Pass) {
    weak(cost, below: 8192, "scrypt runs with N =", "OWASP recommends 131072", scope, pass)
  }

  /// Reports a cost of bcrypt below 10, the least that OWASP allows.
  static func bcrypt(_ cost: Expression, _ scope: Scope, _ pass: Pass) {
    weak(cost, below: 10, "bcrypt runs with a cost of", "OWASP recommends at least 10", scope, pass)
  }

  private static func weak(
    _ cost: Expression, below least: Int, _ what: String, _ advice: String, _ scope: Scope,
    _ pass: Pass
  ) {
    guard let constant = pass.inspector.constant(cost, in: scope), let count = constant.integer,
      count < least
    else { return }
    pass.report(
      .weakKDF, at: constant.location,
      "\(what) \(count), so passwords are guessed quickly. \(advice)",
      trail: [Finding.Step(scope.location(of: cost.range), "used as the cost here")])
  }
}
