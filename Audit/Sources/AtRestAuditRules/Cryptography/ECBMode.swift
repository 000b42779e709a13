import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let ecbMode = RuleID("ecb-mode")
}

/// Finds encryption in ECB mode, which reveals patterns.
enum ECBMode: CodeRule {
  static let rule = Rule(
    .ecbMode, "Encryption that reveals patterns (ECB mode)",
    severity: .medium, level: .required,
    consequence:
      "Equal blocks of the message become equal blocks of ciphertext, so shapes and repetitions "
      + "remain visible, and blocks can be moved and swapped unnoticed.",
    remedy: "Use AES.GCM or ChaChaPoly of CryptoKit, which also detect changes.",
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

  /// Returns true if a type encrypts single blocks for a mode that other code provides: it has a function
  /// such as `encryptBlock`, or conforms to a protocol for block ciphers.
  private static func isOneBlock(_ scope: Scope, _ project: ProjectFacts) -> Bool {
    guard let owner = scope.owner, let facts = project.types[owner] else { return false }
    let names = facts.inherited + facts.declarations.flatMap { $0.type.functions.map(\.name) }
    return names.contains { name in
      let words = Words.split(name)
      return words.contains("block")
        && words.contains { ["cipher", "encrypt", "decrypt", "process"].contains($0) }
    }
  }

  /// Reports ECB mode, and returns true if it is used.
  static func mode(_ value: Expression?, _ scope: Scope, _ pass: Pass) -> Bool {
    guard let value else { return false }
    let names = pass.inspector.names(in: value, scope)
    guard names.contains("kCCOptionECBMode") || names.contains("kCCModeECB") else { return false }
    if CryptographyChecks.stretches(scope, pass.project) || isOneBlock(scope, pass.project) {
      return true
    }
    pass.report(
      .ecbMode, at: value, in: scope,
      "ECB encrypts equal blocks to equal blocks, so patterns remain visible")
    return true
  }
}
