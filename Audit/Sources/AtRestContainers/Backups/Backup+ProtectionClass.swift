extension Backup {
  /// A class of Data Protection, by the number that keybags and manifests have.
  public struct ProtectionClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The name that apps use: `NSFileProtectionComplete`.
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
