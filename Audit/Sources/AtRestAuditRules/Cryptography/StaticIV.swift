import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let staticIV = RuleID("static-iv")
}

/// Finds IVs and nonces that are the same for every message.
enum StaticIV: CodeRule {
  static let rule = Rule(
    .staticIV, "Same IV or nonce for every message",
    severity: .medium, level: .required,
    consequence:
      "Equal messages, or equal beginnings, look equal once encrypted. Under GCM, CTR and "
      + "ChaCha20, anyone who has two messages can read both and forge others.",
    remedy:
      "Let AES.GCM.seal or ChaChaPoly.seal choose the nonce. With CommonCrypto, generate a new IV "
      + "with SecRandomCopyBytes for each message and store it in front of the message.",
    references: .init(masvs: ["MSTG-CRYPTO-3"], cwe: [329]),
    bad: .init(
      "Cipher.swift",
      """
      import CryptoSwift

      func encrypt(_ plain: [UInt8], key: [UInt8]) throws -> [UInt8] {
        let iv = Array("a1b2c3d4e5f6g7h8".utf8)
        return try AES(key: key, blockMode: CBC(iv: iv)).encrypt(plain)
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

  static func add(to set: inout CheckSet) {
    set.onCall(["CBC", "CTR", "GCM", "CFB", "OFB", "PCBC"]) { call, scope, pass in
      guard let iv = call["iv"] else { return }
      initialisationVector(iv, scope, pass)
    }
    set.onCall(["Nonce"]) { call, scope, pass in
      guard let data = call["data"] else { return }
      initialisationVector(data, scope, pass)
    }
  }

  /// Returns true if a function decrypts what others encrypted, and chooses no IV.
  static func onlyDecrypts(_ scope: Scope) -> Bool {
    let names = [scope.function?.name ?? "", scope.owner ?? ""] + scope.calls.map(\.name)
    let lower = names.map { $0.lowercased() }
    return lower.contains { $0.contains("decrypt") } && !lower.contains { $0.contains("encrypt") }
  }

  /// Returns true for the nonce of the inner stream of KeePass files, which the format fixes. Each
  /// file has a key of its own for the stream.
  static func isFixedByFormat(_ value: Expression) -> Bool {
    guard case .array(let elements) = value.bare.kind else { return false }
    let bytes = elements.compactMap { element -> String? in
      if case .number(let text) = element.bare.kind { text.lowercased() } else { nil }
    }
    return bytes == ["0xe8", "0x30", "0x09", "0x4b", "0x97", "0x20", "0x5d", "0x2a"]
  }

  static func initialisationVector(_ value: Expression?, _ scope: Scope, _ pass: Pass) {
    guard let value = value.map({ CryptographyChecks.source(of: $0, scope) }) else { return }
    if value.isNull {
      pass.report(
        .staticIV, at: value, in: scope,
        "no IV is given, so it is all zeros and the same for every message")
      return
    }
    guard let constant = pass.inspector.constant(value, in: scope), !onlyDecrypts(scope) else {
      return
    }
    // A buffer of zeros that is filled afterwards is not a constant.
    if scope.fills(value) { return }
    pass.report(
      .staticIV, at: constant.location, "the IV is the same for every message",
      trail: [Finding.Step(scope.location(of: value.range), "used as an IV here")])
  }
}
