/// The constraints of an access control.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  /// The bits of the flags.
  public let rawValue: CFOptionFlags
  /// Creates flags from their bits.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// Biometry or the passcode is required.
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
  /// Biometry is required, with any finger or face that is enrolled when the item is read.
  public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
  /// The former name of ``biometryAny``.
  public static let touchIDAny = biometryAny
  /// Biometry is required, with the same enrolled fingers or faces as when the item was saved.
  public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
  /// The former name of ``biometryCurrentSet``.
  public static let touchIDCurrentSet = biometryCurrentSet
  /// The passcode is required.
  public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
  /// A watch nearby is required. Platforms other than Apple's have no watch.
  public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
  /// A watch or phone nearby is required. See ``watch``.
  public static let companion = watch
  /// One of the constraints is enough.
  public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
  /// All of the constraints are required.
  public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
  /// The private key can be used to sign and to agree on a secret.
  public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
  /// A key that protects the item is derived from a password that the application provides.
  public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}
