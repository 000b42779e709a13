import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let ecbMode = RuleID("ecb-mode")
}

/// Encryption that shows patterns (ECB).
enum ECBMode: CodeRule {
  static let rule = Rule(
    .ecbMode, "Encryption that shows patterns (ECB)",
    severity: .high, level: .required,
    consequence:
      "Equal blocks of the message are equal blocks when encrypted, so shapes and repetitions "
      + "can be seen, and blocks can be moved and swapped unnoticed.",
    remedy: "Use AES.GCM or ChaChaPoly of CryptoKit, which also notice what was changed.",
    references: .init(
      masvs: ["MSTG-CRYPTO-3"], mastg: ["MASTG-TEST-0317"], cwe: [327]),
    bad: .init(
      "Cipher.swift",
      """
      import CryptoSwift

      func encrypt(_ plain: [UInt8], key: [UInt8]) throws -> [UInt8] {
        try AES(key: key, blockMode: ECB()).encrypt(plain)
      }
      """),
    good: .init(
      "Cipher.swift",
      """
      import CryptoKit

      func encrypt(_ plain: Data, key: SymmetricKey) throws -> Data? {
        try AES.GCM.seal(plain, using: key).combined
      }
      """))

  /// Whether the mode is ECB, which is reported.
  static func mode(_ value: Expression?, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let value else { return false }
    let names = pass.inspector.names(in: value, scope)
    guard names.contains("kCCOptionECBMode") || names.contains("kCCModeECB") else { return false }
    pass.report(
      .ecbMode, at: value, in: scope,
      "ECB encrypts equal blocks to equal blocks, so patterns show")
    return true
  }
}
