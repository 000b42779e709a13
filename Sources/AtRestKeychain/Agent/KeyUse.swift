import AtRestCrypto
import Foundation

/// A use of a private key by the agent.
public enum KeyUse: Sendable, Hashable {
  /// Signs a message, with the scheme or the default one.
  case sign(Data, SignatureScheme?)
  /// Signs a digest.
  case signDigest(Data, Digest)
  /// Agrees on a secret with the holder of another key.
  case agree(PublicKey)
  /// Agrees on a secret, and derives bytes from it (ANSI X9.63).
  case agreeX963(PublicKey, Hash, sharedInfo: Data, count: UInt32)
  /// Decrypts data that was encrypted to an RSA key.
  case decrypt(Data, Padding)
  /// Opens an envelope.
  case open(Data, Envelope)

  /// A scheme that signs a digest.
  public struct Digest: Sendable, Hashable { package let scheme: DigestSignatureScheme }
  /// A hash function.
  public struct Hash: Sendable, Hashable { package let function: DigestFunction }
  /// A padding of RSA.
  public struct Padding: Sendable, Hashable { package let padding: EncryptionPadding }
  /// A form of envelope.
  public struct Envelope: Sendable, Hashable { package let form: PublicKeyEnvelope }

  /// The name of the use, as the audit log has it.
  var name: String {
    switch self {
    case .sign, .signDigest: "sign"
    case .agree, .agreeX963: "agree"
    case .decrypt, .open: "decrypt"
    }
  }

  /// True if the use decrypts, which a key with private-key usage must not do. Opening ECIES is an
  /// agreement.
  var decrypts: Bool {
    switch self {
    case .sign, .signDigest, .agree, .agreeX963: false
    case .decrypt: true
    case .open(_, let envelope): if case .ecies = envelope.form { false } else { true }
    }
  }

  /// Uses a key.
  func perform(with key: borrowing PrivateKeyInUse) throws -> AgentResponse {
    switch self {
    case .sign(let message, let scheme):
      .data(try key.signature(for: message, scheme: scheme))
    case .signDigest(let digest, let form):
      .data(try key.signature(forDigest: digest, form.scheme))
    case .agree(let other): .secret(AgentSecret(try key.sharedSecret(with: other)))
    case .agreeX963(let other, let hash, let info, let count):
      .secret(
        AgentSecret(
          try key.sharedSecret(
            with: other, derivingX963: hash.function, sharedInfo: info, count: Int(count))))
    case .decrypt(let ciphertext, let padding):
      .secret(AgentSecret(try key.decrypt(ciphertext, padding: padding.padding)))
    case .open(let envelope, let form):
      .secret(AgentSecret(try key.open(envelope, form.form)))
    }
  }
}
