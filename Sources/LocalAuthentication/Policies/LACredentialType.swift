/// The type of a credential that an application can set in a context.
public enum LACredentialType: Int, Sendable {
  /// An application password, which enters the key of an item.
  case applicationPassword = 0
  /// The PIN of a smart card. Smart cards are not supported.
  case smartCardPIN = -3
}
