extension Backup {
  /// A Data Protection class, by its number in keybags and manifests.
  public struct ProtectionClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    /// Creates a class from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The name in the API, such as `NSFileProtectionComplete`.
    public var description: String {
      switch rawValue {
      case 1: "NSFileProtectionComplete"
      case 2: "NSFileProtectionCompleteUnlessOpen"
      case 3: "NSFileProtectionCompleteUntilFirstUserAuthentication"
      case 4: "NSFileProtectionNone"
      default: "class \(rawValue)"
      }
    }
  }
}
