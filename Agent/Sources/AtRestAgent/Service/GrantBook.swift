import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

/// The grants in the store: items of a class that needs an unlocked store, in a group that no other
/// keychain has.
///
/// Whoever can write to the store without the passcode has no key to make such an item, or to change
/// one. Items of another class in the group are no grants.
struct GrantBook {
  /// The access group of the agent's own items. No grant gives access to it.
  static let group = ApplicationIdentity.agentGroup
  private static let service = "grant"
  private static let most = 1000
  private static let accessibility = Accessibility.whenUnlockedThisDeviceOnly

  /// An unlocked keychain, opened with the agent's identity.
  let keychain: Keychain

  /// Returns all grants, the oldest first.
  ///
  /// - Throws: ``AtRestError/Code/locked``; ``AtRestError/Code/damaged``.
  func all() throws -> [AgentGrant] {
    let items = try keychain.items(
      matching: KeychainQuery(
        .genericPassword, [.service: .text(Self.service)], accessibility: Self.accessibility,
        group: Self.group),
      secrets: true)
    guard items.withheld.isEmpty else { throw items.withheld[0].reason }
    return try items.filter { $0.protection == .accessible(Self.accessibility) }.map { item in
      let grant = item.withSecret { bytes in
        try? JSONDecoder().decode(AgentGrant.self, from: Data(bytes))
      }
      guard let grant = grant ?? nil else {
        throw AtRestError(
          .damaged, "A grant of the agent cannot be read.",
          remedy: "Remove it with atrest grant remove, and give it again.")
      }
      return grant
    }.sorted { $0.created < $1.created }
  }

  /// Stores grants, all of them or none, and returns them with their numbers. A grant that is there
  /// already is returned as it is.
  func add(_ grants: [AgentGrant]) throws -> [AgentGrant] {
    let known = try all()
    for grant in grants { try Self.check(grant) }
    guard known.count + grants.count <= Self.most else {
      throw AtRestError(
        .invalidArgument, "There are too many grants.", remedy: "Remove some: atrest grant list.")
    }
    return try keychain.transaction {
      try grants.map { grant in
        try known.first { $0.givesSame(as: grant) } ?? store(grant)
      }
    }
  }

  private static func check(_ grant: AgentGrant) throws {
    guard !grant.groups.isEmpty,
      grant.groups.allSatisfy({ !$0.isEmpty && !$0.hasSameBytes(as: group) })
    else {
      throw AtRestError(
        .invalidArgument, "The access groups of the grant are not valid.",
        remedy: "Name at least one group; \(group) is the agent's own.")
    }
    guard !grant.evidence.value.isEmpty, grant.evidence.kind != .terminal else {
      throw AtRestError(
        .invalidArgument, "The grant has no evidence on which it can rest.",
        remedy: "Name evidence as atrest agent prints it, but not the terminal.")
    }
  }

  private func store(_ given: AgentGrant) throws -> AgentGrant {
    var grant = given
    grant.id = UUID().uuidString.prefix(8).lowercased()
    grant.created = Date()
    let secret = SecretBytes(try JSONEncoder().encode(grant))
    try keychain.add(
      .genericPassword(service: Self.service, account: grant.id, group: Self.group), secret: secret,
      protection: .accessible(Self.accessibility))
    return grant
  }

  /// Removes a grant.
  func remove(_ id: String) throws {
    try keychain.delete(
      .genericPassword(service: Self.service, account: id, group: Self.group))
  }
}
