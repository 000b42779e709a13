import AtRestCrypto
import Foundation

/// A private key that was opened for one use, in memory or in the device's hardware, or that stays in
/// the agent.
package enum PrivateKeyInUse: ~Copyable {
  case software(PrivateKey)
  case hardware(HardwarePrivateKey)
  case agent(AgentPrivateKey)

  /// Signs a message: see ``PrivateKey/signature(for:scheme:)``.
  package borrowing func signature(for message: Data, scheme: SignatureScheme?) throws -> Data {
    switch self {
    case .software(let key): try key.signature(for: message, scheme: scheme)
    case .hardware(let key): try key.signature(for: message, scheme: scheme)
    case .agent(let key): try key.use(.sign(message, scheme)).data()
    }
  }

  /// Signs a digest.
  package borrowing func signature(
    forDigest digest: Data, _ scheme: DigestSignatureScheme
  ) throws -> Data {
    switch self {
    case .software(let key): try key.signature(forDigest: digest, scheme)
    case .hardware(let key): try key.signature(forDigest: digest, scheme)
    case .agent(let key): try key.use(.signDigest(digest, .init(scheme: scheme))).data()
    }
  }

  /// Agrees on a secret: see ``PrivateKey/sharedSecret(with:)``.
  package borrowing func sharedSecret(with other: PublicKey) throws -> SecretBytes {
    switch self {
    case .software(let key): try key.sharedSecret(with: other)
    case .hardware(let key): try key.sharedSecret(with: other)
    case .agent(let key): try key.use(.agree(other)).secret()
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
    case .agent(let key):
      try key.use(
        .agreeX963(
          other, .init(function: function), sharedInfo: sharedInfo,
          count: UInt32(clamping: count))
      ).secret()
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
    case .agent(let key): try key.use(.decrypt(ciphertext, .init(padding: padding))).secret()
    }
  }

  /// Opens an envelope.
  package borrowing func open(
    _ envelope: Data, _ form: PublicKeyEnvelope
  ) throws -> SecretBytes {
    switch self {
    case .software(let key): try form.open(envelope, with: key)
    case .hardware(let key): try form.open(envelope, agreeing: key)
    case .agent(let key): try key.use(.open(envelope, .init(form: form))).secret()
    }
  }

  /// Calls a closure with a key in memory.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` for a key in hardware or in the agent.
  package borrowing func withSoftwareKey<Result: ~Copyable>(
    _ body: (borrowing PrivateKey) throws -> Result
  ) throws -> Result {
    switch self {
    case .software(let key): return try body(key)
    case .hardware:
      throw AtRestError(
        .notPermitted, "The private key is in hardware and cannot be exported.",
        remedy: "Use it to sign and to agree on secrets.", cause: ExportRefusal())
    case .agent:
      throw AtRestError(
        .notPermitted, "The private key stays in the agent.",
        remedy: "Use it there, or export it if it is extractable.", cause: ExportRefusal())
    }
  }
}
