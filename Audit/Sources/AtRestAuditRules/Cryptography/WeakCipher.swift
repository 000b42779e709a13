import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let weakCipher = RuleID("weak-cipher")
}

/// Finds ciphers that can be broken.
enum WeakCipher: CodeRule {
  static let rule = Rule(
    .weakCipher, "Cipher that can be broken",
    severity: .high, level: .required,
    consequence:
      "DES, Triple DES and their contemporaries have keys or blocks too small for today's computers, "
      + "and the keystream of RC4 is biased. What they encrypt can be read without the key.",
    remedy:
      "Use AES.GCM or ChaChaPoly of CryptoKit with a 256-bit key, and encrypt stored data again.",
    references: .init(
      masvs: ["MSTG-CRYPTO-4"], mastg: ["MASTG-TEST-0210"], cwe: [327]),
    bad: .init(
      "Old.swift",
      """
      import CommonCrypto

      func cryptor(_ key: [UInt8], _ iv: [UInt8]) -> CCCryptorRef? {
        var made: CCCryptorRef?
        CCCryptorCreate(
          CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmDES),
          CCOptions(kCCOptionPKCS7Padding), key, key.count, iv, &made)
        return made
      }
      """),
    good: .init(
      "New.swift",
      """
      import CommonCrypto

      func cryptor(_ key: [UInt8], _ iv: [UInt8]) -> CCCryptorRef? {
        var made: CCCryptorRef?
        CCCryptorCreate(
          CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES),
          CCOptions(kCCOptionPKCS7Padding), key, key.count, iv, &made)
        return made
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["TripleDES", "DES", "RC4"]) { call, scope, pass in
      guard call.receiver == nil, call["key"] != nil else { return }
      pass.report(.weakCipher, at: call.expression, in: scope, "\(call.name) can be broken")
    }
  }

  private static let weak: [String: String] = [
    "kCCAlgorithmDES": "DES", "kCCAlgorithm3DES": "Triple DES", "kCCAlgorithmRC4": "RC4",
    "kCCAlgorithmRC2": "RC2", "kCCAlgorithmCAST": "CAST", "kCCAlgorithmBlowfish": "Blowfish",
    "DES": "DES", "TripleDES": "Triple DES", "RC4": "RC4", "des": "DES", "tripleDES": "Triple DES",
    "rc4": "RC4", "rc2": "RC2", "blowfish": "Blowfish",
  ]

  static func algorithm(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value else { return }
    for name in pass.inspector.names(in: value, scope).sorted() {
      guard let weak = weak[name] else { continue }
      pass.report(.weakCipher, at: value, in: scope, "\(weak) can be broken")
      return
    }
  }
}
