/// A cryptographic operation with a key.
public enum SecKeyOperationType: Int, Sendable {
  /// Creating a signature.
  case sign = 0
  /// Verifying a signature.
  case verify = 1
  /// Encrypting.
  case encrypt = 2
  /// Decrypting.
  case decrypt = 3
  /// Agreeing on a secret with the public key of another party.
  case keyExchange = 4
}
