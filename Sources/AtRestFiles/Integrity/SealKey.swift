import AtRestCrypto
import Crypto
import Foundation

/// What checks seals: a key for HMAC, or a public key.
enum SealKey: Sendable {
  static let fingerprintCount = 8
  /// Keys that are shorter could be guessed.
  static let shortestHMACKey = 16

  case hmac(SecretBox, fingerprint: Data)
  case signature(PublicKey)

  /// Keys of their own are derived, so that the one given serves nothing else here.
  init(hmacKey: borrowing SecretBytes) throws {
    guard hmacKey.count >= Self.shortestHMACKey else {
      throw AtRestError.invalid(
        "A key that seals has \(Self.shortestHMACKey) bytes or more, not \(hmacKey.count).",
        remedy: "Draw 32 random bytes, and keep them in the keychain.")
    }
    let fingerprint = hmacKey.derive(.sealKeyFingerprint, count: Self.fingerprintCount)
    self = .hmac(
      SecretBox(hmacKey.derive(.seal)), fingerprint: Data(copying: fingerprint))
  }

  init(publicKey: PublicKey) throws {
    guard publicKey.algorithm.canSign else {
      throw AtRestError.invalid(
        "A key of algorithm \(publicKey.algorithm) does not sign.",
        remedy: "Seal with a key of a NIST curve, of Ed25519 or of RSA.")
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

  /// Refuses a seal that this key did not make.
  ///
  /// Whose key it was is looked at first: another key is another message than a change.
  func check(_ seal: FileSeal, on name: String) throws {
    switch (self, seal.method) {
    case (.hmac, .signature):
      throw otherKey("\(name) was sealed with a signature, not with an HMAC key.")
    case (.signature, .hmacSHA256):
      throw otherKey("\(name) was sealed with an HMAC key, not with a signature.")
    default: break
    }
    guard seal.keyFingerprint == fingerprint else {
      throw otherKey("\(name) was sealed with another key.")
    }
    let isValid: Bool
    switch (self, seal.method) {
    case (.hmac(let key, _), _):
      isValid = key.bytes.isValid(authenticationCode: seal.code, for: seal.statement)
    case (.signature(let key), .signature(let scheme)):
      isValid =
        try scheme.isSupported(by: key.algorithm)
        && key.isValidSignature(seal.code, for: seal.statement, scheme: scheme)
    case (.signature, .hmacSHA256): isValid = false
    }
    guard isValid else {
      throw AtRestError.damaged(
        "The seal of \(name) was changed.",
        remedy: "Get the file and its seal again from where they come from.")
    }
  }

  private func otherKey(_ message: String) -> AtRestError {
    AtRestError(
      .authenticationFailed, message,
      remedy: "Check it with the key that sealed it. If that is this one, the seal was changed.")
  }
}

extension Purpose {
  static let seal = Purpose("atrest.seal.v1")
  static let sealKeyFingerprint = Purpose("atrest.seal-key-fingerprint.v1")
}
