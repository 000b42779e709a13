/// What an access control asks for, beside the accessibility.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  public let rawValue: CFOptionFlags
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// Biometry or the passcode.
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
  /// Any finger or face that is enrolled when the item is read.
  public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
  /// The former name of ``biometryAny``.
  public static let touchIDAny = biometryAny
  /// The fingers or faces that were enrolled when the item was saved.
  public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
  /// The former name of ``biometryCurrentSet``.
  public static let touchIDCurrentSet = biometryCurrentSet
  /// The passcode.
  public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
  /// A watch nearby, of which there is none away from Apple's platforms.
  public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
  /// A watch or phone nearby: see ``watch``.
  public static let companion = watch
  /// One of the constraints is enough.
  public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
  /// All of the constraints are needed.
  public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
  /// The private key signs and agrees.
  public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
  /// A password of the application's own enters the item's key.
  public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}
