import AtRestCrypto
import Foundation

/// A private key that was opened for one use, in memory or in the device's hardware.
package enum PrivateKeyInUse: ~Copyable {
  case software(PrivateKey)
  case hardware(HardwarePrivateKey)

  /// Signs a message: see ``PrivateKey/signature(for:scheme:)``.
  package borrowing func signature(for message: Data, scheme: SignatureScheme?) throws -> Data {
    switch self {
    case .software(let key): try key.signature(for: message, scheme: scheme)
    case .hardware(let key): try key.signature(for: message, scheme: scheme)
    }
  }

  /// Signs a digest.
  package borrowing func signature(
    forDigest digest: Data, _ scheme: DigestSignatureScheme
  ) throws -> Data {
    switch self {
    case .software(let key): try key.signature(forDigest: digest, scheme)
    case .hardware(let key): try key.signature(forDigest: digest, scheme)
    }
  }

  /// Agrees on a secret: see ``PrivateKey/sharedSecret(with:)``.
  package borrowing func sharedSecret(with other: PublicKey) throws -> SecretBytes {
    switch self {
    case .software(let key): try key.sharedSecret(with: other)
    case .hardware(let key): try key.sharedSecret(with: other)
    }
  }

  /// Agrees on a secret, and derives bytes from it (ANSI X9.63).
  package borrowing func sharedSecret(
    with other: PublicKey, derivingX963 function: DigestFunction, sharedInfo: Data, count: Int
  ) throws -> SecretBytes {
    switch self {
    case .software(let key):
      try key.sharedSecret(
        with: other, derivingX963: function, sharedInfo: sharedInfo, count: count)
    case .hardware(let key):
      try key.sharedSecret(
        with: other, derivingX963: function, sharedInfo: sharedInfo, count: count)
    }
  }

  /// Decrypts data that was encrypted to an RSA key: see ``PrivateKey/decrypt(_:padding:)``.
  package borrowing func decrypt(
    _ ciphertext: Data, padding: EncryptionPadding = .oaepSHA256
  ) throws -> SecretBytes {
    switch self {
    case .software(let key): try key.decrypt(ciphertext, padding: padding)
    case .hardware:
      throw AtRestError.invalid(
        "A key in hardware cannot decrypt.", remedy: "Use an RSA key, which is not in hardware.")
    }
  }

  /// Opens an envelope.
  package borrowing func open(
    _ envelope: Data, _ form: PublicKeyEnvelope
  ) throws -> SecretBytes {
    switch self {
    case .software(let key): try form.open(envelope, with: key)
    case .hardware(let key): try form.open(envelope, agreeing: key)
    }
  }

  /// Calls a closure with a key in memory.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` for a key in hardware.
  package borrowing func withSoftwareKey<Result: ~Copyable>(
    _ body: (borrowing PrivateKey) throws -> Result
  ) throws -> Result {
    switch self {
    case .software(let key): return try body(key)
    case .hardware:
      throw AtRestError(
        .notPermitted, "The private key is in hardware and cannot be exported.",
        remedy: "Use it to sign and to agree on secrets.", cause: ExportRefusal())
    }
  }
}
