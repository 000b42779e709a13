import AtRestCrypto

/// Who asks: the access groups that an application owns.
///
/// An application sees the items of its own groups and no others. Within one process this keeps
/// parts of a program apart; between processes of one user nothing but an agent can enforce it.
public struct ApplicationIdentity: Hashable, Sendable {
  /// The application identifier, itself an access group.
  public let identifier: String
  /// Further groups that the application shares, the default one first.
  public let keychainAccessGroups: [String]
  /// Application groups, usable as access groups, never the default.
  public let applicationGroups: [String]
  /// True if this is the store's owner, who sees all groups.
  public let isOwner: Bool

  /// An application with its groups.
  public init(
    _ identifier: String, keychainAccessGroups: [String] = [], applicationGroups: [String] = []
  ) {
    self.identifier = identifier
    self.keychainAccessGroups = keychainAccessGroups
    self.applicationGroups = applicationGroups
    isOwner = false
  }

  /// The store's owner, as on the command line: every group is seen, `defaultGroup` is written to.
  public static func owner(defaultGroup: String = "atrest") -> ApplicationIdentity {
    ApplicationIdentity(owner: defaultGroup)
  }

  private init(owner group: String) {
    identifier = group
    keychainAccessGroups = []
    applicationGroups = []
    isOwner = true
  }

  /// The group of items that are added without one.
  public var defaultGroup: String { keychainAccessGroups.first ?? identifier }

  /// All groups, each once, the default one first.
  public var accessGroups: [String] {
    var seen = Set<String>()
    return (keychainAccessGroups + [identifier] + applicationGroups).filter {
      seen.insert($0).inserted
    }
  }

  func owns(_ group: String) -> Bool {
    isOwner || group == identifier || keychainAccessGroups.contains(group)
      || applicationGroups.contains(group)
  }

  func check(_ group: String) throws {
    guard owns(group) else {
      throw AtRestError(
        .missingEntitlement,
        "The access group \(group) does not belong to \(identifier), which has "
          + "\(accessGroups.joined(separator: ", ")).",
        remedy: "Add it to the identity's groups, or name one of these.")
    }
  }
}
