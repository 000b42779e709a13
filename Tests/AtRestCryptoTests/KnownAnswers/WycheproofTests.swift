import AtRestCrypto
import Crypto
import Foundation
import Testing

/// Every case of the vectors has the result that Wycheproof expects.
@Suite struct WycheproofTests {
  private typealias Case = VectorFile.Case

  /// Runs a case. Throws or returns false to refuse it.
  private typealias Runner = (Case) throws -> Bool

  @Test(arguments: [
    "aes-gcm", "aes-wrap", "ecdh-p256", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521", "ed25519",
    "hkdf-sha256", "hmac-sha256", "pbkdf2-sha256", "pbkdf2-sha512", "rsa-oaep", "rsa-pkcs1",
    "rsa-pss", "x25519",
  ])
  func everyCaseHasItsOutcome(file name: String) throws {
    let file = try VectorFile(name)
    let runner = try #require(Self.runner(file.algorithm), "No runner for \(file.algorithm).")
    var accepted = 0
    for test in file.cases {
      let passed = (try? runner(test)) ?? false
      accepted += passed ? 1 : 0
      switch test.outcome {
      case .valid: #expect(passed, "\(file.algorithm) case \(test.number) was refused.")
      case .invalid: #expect(!passed, "\(file.algorithm) case \(test.number) was accepted.")
      // Both results are acceptable. The runner would have recorded a wrong result.
      case .acceptable: break
      }
    }
    #expect(file.cases.count == file.claimedCount && file.claimedCount > 0)
    print(
      "\(file.algorithm): \(file.cases.count) cases, \(accepted) accepted, "
        + "\(file.cases.count - accepted) refused")
  }

  private static func runner(_ algorithm: String) -> Runner? {
    switch algorithm {
    case "AES-256-GCM": opensBox
    case "AES-256-WRAP": unwraps
    case "HKDF-SHA256": expands
    case "HMAC-SHA256": authenticates
    case "PBKDF2-SHA256": { try stretches($0, .pbkdf2SHA256) }
    case "PBKDF2-SHA512": { try stretches($0, .pbkdf2SHA512) }
    case "ECDSA-P256-SHA256": { try verifies($0, .p256, .ecdsaSHA256) }
    case "ECDSA-P384-SHA384": { try verifies($0, .p384, .ecdsaSHA384) }
    case "ECDSA-P521-SHA512": { try verifies($0, .p521, .ecdsaSHA512) }
    case "ED25519": { try verifies($0, .ed25519, .ed25519) }
    case "RSA-PSS-SHA256": { try verifies($0, .rsa2048, .rsaPSSSHA256) }
    case "RSA-PKCS1-SHA256": { try verifies($0, .rsa2048, .rsaPKCS1SHA256) }
    case "RSA-OAEP-SHA256": decrypts
    case "ECDH-P256": agreesOnP256
    case "X25519": agreesOnX25519
    default: nil
    }
  }

  // key, iv, aad, msg, ct, tag
  private static func opensBox(_ test: Case) throws -> Bool {
    let key = try SealingKey(SecretBytes(test.bytes(0)))
    let box = test.bytes(1) + test.bytes(4) + test.bytes(5)
    let opened = try key.open(box, context: test.bytes(2), name: "box").revealed
    return try matches(opened, test.bytes(3), test)
  }

  // key, msg, ct
  private static func unwraps(_ test: Case) throws -> Bool {
    let key = try WrappingKey(SecretBytes(test.bytes(0)))
    let unwrapped = try key.unwrap(test.bytes(2), name: "key")
    if test.outcome == .valid {
      #expect(try key.wrap(unwrapped) == test.bytes(2), "Case \(test.number) wraps differently.")
    }
    return try matches(unwrapped.revealed, test.bytes(1), test)
  }

  // ikm, salt, info, size, okm. `derive` frames its info, so this tests the function that it uses.
  private static func expands(_ test: Case) throws -> Bool {
    let size = test.number(3)
    guard size <= 255 * 32 else { return false }
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: test.bytes(0)), salt: test.bytes(1),
      info: test.bytes(2), outputByteCount: size)
    return try matches(key.withUnsafeBytes { Data($0) }, test.bytes(4), test)
  }

  // key, msg, tag, which may be truncated
  private static func authenticates(_ test: Case) throws -> Bool {
    let key = SecretBytes(test.bytes(0))
    let tag = test.bytes(2)
    let code = key.authenticationCode(for: test.bytes(1))
    guard tag.count == code.count else { return code.prefix(tag.count) == tag }
    #expect(key.isValid(authenticationCode: tag, for: test.bytes(1)) == (code == tag))
    return code == tag
  }

  // password, salt, iterationCount, dkLen, dk
  private static func stretches(
    _ test: Case, _ function: PasswordKDF.Function
  ) throws -> Bool {
    let kdf = PasswordKDF.unchecked(function, cost: UInt32(test.number(2)))
    let key = try kdf.deriveKey(
      from: SecretBytes(test.bytes(0)), salt: test.bytes(1), count: test.number(3))
    return try matches(key.revealed, test.bytes(4), test)
  }

  // msg, sig
  private static func verifies(
    _ test: Case, _ algorithm: KeyAlgorithm, _ scheme: SignatureScheme
  ) throws -> Bool {
    let key = try PublicKey(importing: test.key)
    #expect(key.algorithm == algorithm)
    return try key.isValidSignature(test.bytes(1), for: test.bytes(0), scheme: scheme)
  }

  // msg, ct, label. Labels are not supported: a ciphertext with a label must not decrypt.
  private static func decrypts(_ test: Case) throws -> Bool {
    let key = try PrivateKey(importing: SecretBytes(test.key))
    let hasLabel = !test.bytes(2).isEmpty
    do {
      let plaintext = try key.decrypt(test.bytes(1)).revealed
      return try !hasLabel && matches(plaintext, test.bytes(0), test)
    } catch AtRestError.Code.damaged where hasLabel {
      return test.outcome == .valid
    }
  }

  // public (SubjectPublicKeyInfo), private, shared
  private static func agreesOnP256(_ test: Case) throws -> Bool {
    let key = try PrivateKey(
      rawRepresentation: SecretBytes(test.bytes(1)), algorithm: .p256)
    let secret = try key.sharedSecret(with: PublicKey(importing: test.bytes(0)))
    return try matches(secret.revealed, test.bytes(2), test)
  }

  // public, private, shared: raw
  private static func agreesOnX25519(_ test: Case) throws -> Bool {
    let key = try PrivateKey(
      rawRepresentation: SecretBytes(test.bytes(1)), algorithm: .x25519)
    let other = try PublicKey(rawRepresentation: test.bytes(0), algorithm: .x25519)
    let isZero = test.bytes(2).allSatisfy { $0 == 0 }
    do {
      let secret = try key.sharedSecret(with: other)
      #expect(!isZero, "X25519 case \(test.number) agrees on zero.")
      return try matches(secret.revealed, test.bytes(2), test)
    } catch AtRestError.Code.invalidArgument {
      #expect(isZero, "X25519 case \(test.number) was refused.")
      return false
    }
  }

  /// A wrong result is a failure even if refusing would be acceptable.
  private static func matches(_ result: Data, _ expected: Data, _ test: Case) throws -> Bool {
    if test.outcome == .acceptable {
      #expect(result == expected, "Case \(test.number) has a wrong result.")
    }
    return result == expected
  }
}
