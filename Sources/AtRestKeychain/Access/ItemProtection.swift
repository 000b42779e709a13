/// The protection of an item: either an accessibility alone, or access control, which includes an
/// accessibility.
public struct ItemProtection: Hashable, Sendable, Codable {
  /// The accessibility, which determines when the class key is in memory.
  public let accessibility: Accessibility
  /// The access control, or nil if the protection is an accessibility alone.
  public let accessControl: AccessControl?

  /// Creates a protection with an accessibility alone.
  public static func accessible(_ accessibility: Accessibility) -> ItemProtection {
    ItemProtection(accessibility: accessibility, accessControl: nil)
  }

  /// Creates a protection with access control.
  public static func controlled(_ accessControl: AccessControl) -> ItemProtection {
    ItemProtection(accessibility: accessControl.accessibility, accessControl: accessControl)
  }

  /// The same protection with the this-device-only form of its accessibility.
  package var thisDeviceOnly: ItemProtection {
    let bound = accessibility.thisDeviceOnly
    return accessControl.map { .controlled($0.with(bound)) } ?? .accessible(bound)
  }

  /// Readable while the store is unlocked: the default protection of an item.
  public static let whenUnlocked = ItemProtection.accessible(.whenUnlocked)
}
