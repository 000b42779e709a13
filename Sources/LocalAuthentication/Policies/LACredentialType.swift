/// What an application may give a context, so that nobody is asked for it.
public enum LACredentialType: Int, Sendable {
  /// The password of the application's own that enters an item's key.
  case applicationPassword = 0
  /// The PIN of a smart card, of which there are none.
  case smartCardPIN = -3
}
