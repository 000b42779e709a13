import AtRestCrypto

extension AtRestError.Code {
  /// The key server cannot be reached, or it cannot reach its database.
  public static let keyServerOffline = AtRestError.Code(rawValue: "key-server-offline")
  /// The device is not enrolled at the key server, or the enrolment code is not valid.
  public static let notEnrolled = AtRestError.Code(rawValue: "not-enrolled")
  /// The device or its account was revoked.
  public static let revoked = AtRestError.Code(rawValue: "revoked")
  /// The key server answered with another key than the pinned one.
  public static let otherServerKey = AtRestError.Code(rawValue: "other-server-key")
  /// The account's key was destroyed after too many wrong attempts.
  public static let keyDestroyed = AtRestError.Code(rawValue: "key-destroyed")
  /// The key server cannot be reached, and the time for use without it is over.
  public static let offlineExpired = AtRestError.Code(rawValue: "offline-expired")
  /// The account moved to another suite. A client asks for the successor of its pinned key.
  package static let moved = AtRestError.Code(rawValue: "moved")
  /// The request was sent before, or after a later one.
  public static let replayed = AtRestError.Code(rawValue: "replayed")
}
