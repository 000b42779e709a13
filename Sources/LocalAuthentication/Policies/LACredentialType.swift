/// The type of a credential that an application can set in a context.
public enum LACredentialType: Int, Sendable {
  /// An application password, from which a key that protects an item is derived.
  case applicationPassword = 0
  /// The PIN of a smart card. Smart cards are not supported.
  case smartCardPIN = -3
}
