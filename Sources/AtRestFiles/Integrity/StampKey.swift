import AtRestCrypto
import Crypto
import Foundation

/// The key that checks stamps: an HMAC key or a public key.
enum StampKey: Sendable {
  static let fingerprintCount = 8
  /// Shorter keys could be guessed.
  static let shortestHMACKey = 16

  case hmac(SecretBox, fingerprint: Data)
  case signature(PublicKey)

  /// Derives separate keys for stamps and for the fingerprint, so the given key is not used
  /// directly.
  init(hmacKey: borrowing SecretBytes) throws {
    guard hmacKey.count >= Self.shortestHMACKey else {
      throw AtRestError.invalid(
        "A key for stamps needs \(Self.shortestHMACKey) bytes or more, not \(hmacKey.count).",
        remedy: "Generate 32 random bytes, and keep them in the keychain.")
    }
    let fingerprint = hmacKey.derive(.stampKeyFingerprint, count: Self.fingerprintCount)
    self = .hmac(
      SecretBox(hmacKey.derive(.stamp)), fingerprint: Data(copying: fingerprint))
  }

  init(publicKey: PublicKey) throws {
    guard publicKey.algorithm.canSign else {
      throw AtRestError.invalid(
        "A key of algorithm \(publicKey.algorithm) cannot sign.",
        remedy: "Use a key of a NIST curve, an Ed25519 key or an RSA key.")
    }
    self = .signature(publicKey)
  }

  var fingerprint: Data {
    switch self {
    case .hmac(_, let fingerprint): fingerprint
    case .signature(let key):
      Data(SHA256.hash(data: key.derRepresentation).prefix(Self.fingerprintCount))
    }
  }

  /// Throws if a stamp was made with another key or was modified.
  ///
  /// The identity of the key is compared first, so a wrong key and a modified stamp raise different
  /// errors.
  func check(_ stamp: FileStamp, on name: String) throws {
    switch (self, stamp.method) {
    case (.hmac, .signature):
      throw otherKey("\(name) was stamped with a signature, not with an HMAC key.")
    case (.signature, .hmacSHA256):
      throw otherKey("\(name) was stamped with an HMAC key, not with a signature.")
    default: break
    }
    guard stamp.keyFingerprint == fingerprint else {
      throw otherKey("\(name) was stamped with another key.")
    }
    let isValid: Bool
    switch (self, stamp.method) {
    case (.hmac(let key, _), _):
      isValid = key.bytes.isValid(authenticationCode: stamp.code, for: stamp.statement)
    case (.signature(let key), .signature(let scheme)):
      isValid =
        try scheme.isSupported(by: key.algorithm)
        && key.isValidSignature(stamp.code, for: stamp.statement, scheme: scheme)
    case (.signature, .hmacSHA256): isValid = false
    }
    guard isValid else {
      throw AtRestError.damaged(
        "The stamp of \(name) was modified.",
        remedy: "Get the file and its stamp from their source again.")
    }
  }

  private func otherKey(_ message: String) -> AtRestError {
    AtRestError(
      .authenticationFailed, message,
      remedy: "Check it with the key that stamped it. If this is that key, the stamp was modified.")
  }
}

extension Purpose {
  static let stamp = Purpose("atrest.stamp.v1")
  static let stampKeyFingerprint = Purpose("atrest.stamp-key-fingerprint.v1")
}
