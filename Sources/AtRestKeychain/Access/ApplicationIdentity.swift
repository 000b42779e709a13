import AtRestCrypto

/// The identity of a calling application: its identifier and access groups.
///
/// An application sees the items of its own groups only. Within one process this keeps parts of a
/// program apart. Between processes of one user, nothing but an agent can enforce it.
public struct ApplicationIdentity: Hashable, Sendable {
  /// The application identifier, itself an access group.
  public let identifier: String
  /// The keychain access groups of the application, the default one first.
  public let keychainAccessGroups: [String]
  /// The application groups, which can be used as access groups but are never the default.
  public let applicationGroups: [String]
  /// True if this is the store's owner, who sees all groups.
  public let isOwner: Bool

  /// Creates the identity of an application.
  public init(
    _ identifier: String, keychainAccessGroups: [String] = [], applicationGroups: [String] = []
  ) {
    self.identifier = identifier
    self.keychainAccessGroups = keychainAccessGroups
    self.applicationGroups = applicationGroups
    isOwner = false
  }

  /// Returns the store's owner, as on the command line: it sees every group, and writes to
  /// `defaultGroup`.
  public static func owner(defaultGroup: String = "atrest") -> ApplicationIdentity {
    ApplicationIdentity(owner: defaultGroup)
  }

  private init(owner group: String) {
    identifier = group
    keychainAccessGroups = []
    applicationGroups = []
    isOwner = true
  }

  /// The group of items that are added without a group.
  public var defaultGroup: String { keychainAccessGroups.first ?? identifier }

  /// All groups without duplicates, the default one first.
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
        remedy: "Add it to the identity's groups, or specify one of these.")
    }
  }
}
