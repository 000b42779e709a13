import AtRestCrypto
import Foundation

/// A use of a private key by the agent.
@_spi(Tools) public enum KeyUse: Sendable, Hashable {
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
}
