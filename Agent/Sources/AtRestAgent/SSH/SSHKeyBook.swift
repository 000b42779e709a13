import AtRestCrypto
import AtRestKeychain
import Foundation

/// The key pairs of the keychain in an access group for SSH.
///
/// Their public halves are also in items of the agent's own, which are readable while the store is
/// locked. The list of keys is therefore the same whether the store is locked or not.
struct SSHKeyBook {
  /// The group of keys that are used for programs of this machine.
  static let group = "ssh"
  /// The group of keys that are also used over forwarded connections, for programs of other hosts.
  static let forwardableGroup = "ssh.forwardable"

  /// A key of the keychain.
  struct Key {
    let publicKey: SSHPublicKey
    let tag: String
    let group: String
    var isForwardable: Bool { group == SSHKeyBook.forwardableGroup }
  }

  private let group: String
  private var service: String { group + "-public-key" }

  /// The keychain, opened with the agent's identity.
  let own: Keychain
  /// The keychain, opened for the group.
  let keychain: Keychain

  init(_ group: String, own: Keychain, keychain: Keychain) {
    (self.group, self.own, self.keychain) = (group, own, keychain)
  }

  /// Returns all keys, in the order of their tags.
  ///
  /// - Parameter isUnlocked: True to read the key pairs themselves, and to record them.
  func all(isUnlocked: Bool) throws -> [Key] {
    let recorded = try own.items(
      matching: KeychainQuery(
        .genericPassword, [.service: .text(service)], group: GrantBook.group), secrets: true)
    guard recorded.withheld.isEmpty else { throw recorded.withheld[0].reason }
    var keys: [String: Data] = [:]
    for item in recorded {
      keys[item.attributes.account ?? ""] = item.withSecret { Data($0) } ?? Data()
    }
    if isUnlocked { try record(&keys) }
    return keys.sorted { $0.key < $1.key }.compactMap { tag, der in
      (try? PublicKey(importing: der)).flatMap(SSHPublicKey.init).map {
        Key(publicKey: $0, tag: tag, group: group)
      }
    }
  }

  /// Brings the records up to date with the key pairs.
  private func record(_ keys: inout [String: Data]) throws {
    var present: [String: Data] = [:]
    let query = KeychainQuery(.key, [.keyClass: .number(1)], group: group)
    for item in try keychain.items(
      matching: query, context: AuthenticationContext(interaction: .skip))
    {
      guard case .data(let der)? = item.attributes[.publicKey],
        case .data(let name)? = item.attributes[.applicationTag],
        let tag = String(data: name, encoding: .utf8)
      else { continue }
      present[tag] = der
    }
    guard present != keys else { return }
    for (tag, der) in present where keys[tag] != der {
      try own.set(
        record(tag), secret: SecretBytes(der),
        // atrest:ignore keychain-accessible-always only public halves, which are listed while locked
        protection: .accessible(.alwaysThisDeviceOnly))
    }
    for tag in keys.keys where present[tag] == nil { try own.delete(record(tag)) }
    keys = present
  }

  private func record(_ tag: String) -> PrimaryKey {
    .genericPassword(service: service, account: tag, group: GrantBook.group)
  }

  /// Signs with the key that has a tag.
  func sign(_ data: Data, tag: String, scheme: SignatureScheme?) throws -> Data {
    try keychain.sign(
      data, tag: tag, group: group, scheme: scheme,
      context: AuthenticationContext(interaction: .forbidden))
  }
}
