import AtRestCrypto
import AtRestKeychain
import Foundation

/// The grants, which are items of the keychain. The store therefore authenticates them, and notices
/// if older ones are put back.
struct GrantBook {
  /// The access group of the agent's own items. No grant gives access to it.
  static let group = "atrest.agent"
  private static let service = "grant"
  private static let most = 1000

  /// The keychain, opened with the agent's identity.
  let keychain: Keychain

  /// Returns all grants, the oldest first. They are readable while the store is locked.
  func all() throws -> [AgentGrant] {
    let items = try keychain.items(
      matching: KeychainQuery(.genericPassword, [.service: .text(Self.service)], group: Self.group),
      secrets: true)
    guard items.withheld.isEmpty else { throw items.withheld[0].reason }
    return try items.map { item in
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

  /// Stores a grant, and returns it with its number.
  func add(_ grant: AgentGrant) throws -> AgentGrant {
    guard !grant.groups.isEmpty, grant.groups.allSatisfy({ !$0.isEmpty && $0 != Self.group }) else {
      throw AtRestError(
        .invalidArgument, "The access groups of the grant are not valid.",
        remedy: "Name at least one group; \(Self.group) is the agent's own.")
    }
    guard !grant.evidence.value.isEmpty, try all().count < Self.most else {
      throw AtRestError(
        .invalidArgument, "The grant has no evidence, or there are too many grants.",
        remedy: "Name evidence as status prints it, or remove grants.")
    }
    var grant = grant
    grant.id = UUID().uuidString.prefix(8).lowercased()
    grant.created = Date()
    let secret = SecretBytes(try JSONEncoder().encode(grant))
    try keychain.add(
      .genericPassword(service: Self.service, account: grant.id, group: Self.group), secret: secret,
      // atrest:ignore keychain-accessible-always a grant is decided on while the store is locked
      protection: .accessible(.alwaysThisDeviceOnly))
    return grant
  }

  /// Removes a grant.
  func remove(_ id: String) throws {
    try keychain.delete(
      .genericPassword(service: Self.service, account: id, group: Self.group))
  }
}
