import AtRestCrypto

/// The identity of a calling application: its identifier and access groups.
///
/// An application sees only the items of its own groups. Within one process, this rule separates
/// the parts of a program. Between processes of one user, only a separate agent process could
/// enforce the rule.
///
/// Names of groups are compared as bytes. The group `atrest.agent` belongs to `atrest-agent` alone: no
/// other identity has it, not even the owner's.
public struct ApplicationIdentity: Sendable {
  /// The application identifier, itself an access group.
  public let identifier: String
  /// The keychain access groups of the application, with the default group first.
  public let keychainAccessGroups: [String]
  /// The application groups, which can be used as access groups but are never the default.
  public let applicationGroups: [String]
  /// True if this is the identity of the store's owner, who sees all groups.
  public let isOwner: Bool
  /// True for the agent's own identity.
  private let isAgent: Bool

  /// The access group in which the agent keeps its grants.
  @_spi(Tools) public static let agentGroup = "atrest.agent"
  /// The identity of the agent, which sees its own group only.
  @_spi(Tools) public static let agent = ApplicationIdentity(agent: agentGroup)

  /// Creates the identity of an application.
  public init(
    _ identifier: String, keychainAccessGroups: [String] = [], applicationGroups: [String] = []
  ) {
    self.identifier = identifier
    self.keychainAccessGroups = keychainAccessGroups
    self.applicationGroups = applicationGroups
    (isOwner, isAgent) = (false, false)
  }

  /// Returns the identity of the store's owner, which the command line uses. The owner sees every
  /// group, and adds items to `defaultGroup` unless a key names another group.
  public static func owner(defaultGroup: String = "atrest") -> ApplicationIdentity {
    ApplicationIdentity(owner: defaultGroup)
  }

  private init(owner group: String) {
    identifier = group
    keychainAccessGroups = []
    applicationGroups = []
    (isOwner, isAgent) = (true, false)
  }

  private init(agent group: String) {
    identifier = group
    keychainAccessGroups = []
    applicationGroups = []
    (isOwner, isAgent) = (false, true)
  }

  /// The access group that this identity does not see although it sees all groups, or nil.
  var excludedGroup: String? { isOwner ? Self.agentGroup : nil }

  /// The group of items that are added without a group.
  public var defaultGroup: String { keychainAccessGroups.first ?? identifier }

  /// All groups without duplicates, with the default group first.
  public var accessGroups: [String] {
    let all = (keychainAccessGroups + [identifier] + applicationGroups).uniqueBytes()
    return isAgent ? all : all.filter { !$0.hasSameBytes(as: Self.agentGroup) }
  }

  func owns(_ group: String) -> Bool {
    if group.hasSameBytes(as: Self.agentGroup) { return isAgent }
    return isOwner || group.hasSameBytes(as: identifier)
      || keychainAccessGroups.containsBytes(of: group) || applicationGroups.containsBytes(of: group)
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

extension ApplicationIdentity: Hashable {
  public static func == (one: ApplicationIdentity, other: ApplicationIdentity) -> Bool {
    one.isOwner == other.isOwner && one.isAgent == other.isAgent
      && one.names.elementsEqual(other.names) { $0.hasSameBytes(as: $1) }
      && one.keychainAccessGroups.count == other.keychainAccessGroups.count
  }

  public func hash(into hasher: inout Hasher) {
    for name in names {
      var name = name
      name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
      hasher.combine(UInt8.max)
    }
  }

  private var names: [String] { [identifier] + keychainAccessGroups + applicationGroups }
}
