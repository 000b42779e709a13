import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

/// The key pairs of the keychain in an access group for SSH.
///
/// Their public halves stay in the agent's memory when the store is locked, so the list of keys stays the
/// same. Before the first unlock, the list is empty.
struct SSHKeyBook {
  /// The group of keys that are used for programs of this machine.
  static let group = "ssh"
  /// The group of keys that are also used over forwarded connections, for programs of other hosts.
  static let forwardableGroup = "ssh.forwardable"

  /// A key of the keychain.
  struct Key: Sendable {
    let publicKey: SSHPublicKey
    let tag: String
    let group: String
    var isForwardable: Bool { group == SSHKeyBook.forwardableGroup }
  }

  private let group: String
  private let known: SSHKnownKeys
  /// The keychain, opened for the group.
  let keychain: Keychain

  init(_ group: String, known: SSHKnownKeys, keychain: Keychain) {
    (self.group, self.known, self.keychain) = (group, known, keychain)
  }

  /// Returns all keys, in the order of their tags.
  ///
  /// - Parameter isUnlocked: True to read the key pairs themselves.
  func all(isUnlocked: Bool) throws -> [Key] {
    guard isUnlocked else { return known.keys(group) }
    var keys: [Key] = []
    let query = KeychainQuery(.key, [.keyClass: .number(1)], group: group)
    for item in try keychain.items(
      matching: query, context: AuthenticationContext(interaction: .skip))
    {
      guard case .data(let der)? = item.attributes[.publicKey],
        case .data(let name)? = item.attributes[.applicationTag],
        let tag = String(data: name, encoding: .utf8),
        let key = (try? PublicKey(importing: der)).flatMap(SSHPublicKey.init)
      else { continue }
      keys.append(Key(publicKey: key, tag: tag, group: group))
    }
    keys.sort { $0.tag < $1.tag }
    known.set(keys, group)
    return keys
  }

  /// Signs with the key that has a tag.
  func sign(_ data: Data, tag: String, scheme: SignatureScheme?) throws -> Data {
    try keychain.sign(
      data, tag: tag, group: group, scheme: scheme,
      context: AuthenticationContext(interaction: .forbidden))
  }
}
