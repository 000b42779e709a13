import AtRestCrypto

/// The identity of a calling application: its identifier and access groups.
///
/// An application sees only the items of its own groups. Within one process, this rule separates
/// the parts of a program. Between processes of one user, only a separate agent process could
/// enforce the rule.
public struct ApplicationIdentity: Hashable, Sendable {
  /// The application identifier, itself an access group.
  public let identifier: String
  /// The keychain access groups of the application, with the default group first.
  public let keychainAccessGroups: [String]
  /// The application groups, which can be used as access groups but are never the default.
  public let applicationGroups: [String]
  /// True if this is the identity of the store's owner, who sees all groups.
  public let isOwner: Bool
  /// The access group that this identity does not see, or nil.
  public private(set) var excludedGroup: String?

  /// Creates the identity of an application.
  public init(
    _ identifier: String, keychainAccessGroups: [String] = [], applicationGroups: [String] = []
  ) {
    self.identifier = identifier
    self.keychainAccessGroups = keychainAccessGroups
    self.applicationGroups = applicationGroups
    isOwner = false
  }

  /// Returns the identity of the store's owner, which the command line uses. The owner sees every
  /// group, and adds items to `defaultGroup` unless a key names another group.
  public static func owner(defaultGroup: String = "atrest") -> ApplicationIdentity {
    ApplicationIdentity(owner: defaultGroup)
  }

  /// Returns the same identity without an access group: as if the group had no items.
  public func excluding(_ group: String) -> ApplicationIdentity {
    var identity = self
    identity.excludedGroup = group
    return identity
  }

  private init(owner group: String) {
    identifier = group
    keychainAccessGroups = []
    applicationGroups = []
    isOwner = true
  }

  /// The group of items that are added without a group.
  public var defaultGroup: String { keychainAccessGroups.first ?? identifier }

  /// All groups without duplicates, with the default group first.
  public var accessGroups: [String] {
    var seen = Set<String>()
    return (keychainAccessGroups + [identifier] + applicationGroups).filter {
      $0 != excludedGroup && seen.insert($0).inserted
    }
  }

  func owns(_ group: String) -> Bool {
    group != excludedGroup
      && (isOwner || group == identifier || keychainAccessGroups.contains(group)
        || applicationGroups.contains(group))
  }

  /// Throws ``AtRestError/Code/missingEntitlement`` if a group does not belong to the application.
  package func check(_ group: String) throws {
    guard owns(group) else {
      throw AtRestError(
        .missingEntitlement,
        "The access group \(group) does not belong to \(identifier), which has "
          + "\(accessGroups.joined(separator: ", ")).",
        remedy: "Add the group to the identity, or specify one of these groups.")
    }
  }
}
