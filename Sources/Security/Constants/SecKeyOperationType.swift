/// What can be done with a key.
public enum SecKeyOperationType: CFIndex, Sendable {
  /// Making a signature.
  case sign = 0
  /// Verifying a signature.
  case verify = 1
  /// Encrypting.
  case encrypt = 2
  /// Decrypting.
  case decrypt = 3
  /// Agreeing on a secret with another's public key.
  case keyExchange = 4
}
