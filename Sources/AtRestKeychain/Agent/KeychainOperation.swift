import AtRestCrypto
import Foundation

/// An operation on items that the agent carries out for another process.
///
/// ``Keychain`` sends it when an agent serves the store, and the agent's own keychain carries it out
/// (``Keychain/perform(_:context:)``). `docs/Agent.md` describes its bytes.
@_spi(Tools) public enum KeychainOperation: Sendable {
  /// Returns the secret of one item.
  case secret(ItemSelector)
  /// Returns items. A key or a reference selects one item, which must exist.
  case items(ItemSelector, secrets: Bool)
  /// Adds an item, and returns it without its secret.
  case add(
    PrimaryKey, ItemAttributes, ItemProtection, secret: AgentSecret?, isHardwareKey: Bool = false)
  /// Adds an item or updates its secret, and returns its reference.
  case set(PrimaryKey, ItemAttributes, ItemProtection?, secret: AgentSecret)
  /// Updates items, and returns their number.
  case update(ItemSelector, ItemChange, secret: AgentSecret?)
  /// Deletes items, and returns their number.
  case delete(ItemSelector)
  /// Deletes all items of an access group in one step, and returns their number.
  case deleteAll(String)
  /// Creates a key pair, and returns the public half.
  case createKey(KeyAlgorithm, KeyTraits)
  /// Creates a key pair in the device's hardware, and returns the public half.
  case createHardwareKey(KeyTraits)
  /// Stores a private key, and returns the public half.
  case importKey(KeyAlgorithm, KeyTraits, AgentSecret)
  /// Returns the public half of a key pair.
  case publicKey(KeyName)
  /// Uses a private key, and returns the result.
  case useKey(KeySelector, KeyUse)
  /// Returns an extractable private key.
  case exportKey(KeyName)
  /// Deletes a private key.
  case deleteKey(KeyName)

  /// The tag of a private key, and the access group if it is named.
  public struct KeyName: Sendable, Hashable {
    /// The application tag.
    public var tag: String
    /// The access group, or nil for any of the caller's.
    public var group: String?

    package init(_ tag: String, group: String?) {
      self.tag = tag
      self.group = group
    }
  }

  /// The properties of a new private key.
  public struct KeyTraits: Sendable, Hashable {
    /// The tag and the access group.
    public var name: KeyName
    /// The label.
    public var label: String?
    /// True if the private half can be exported.
    public var isExtractable: Bool
    /// The protection.
    public var protection: ItemProtection

    package init(name: KeyName, label: String?, isExtractable: Bool, protection: ItemProtection) {
      self.name = name
      self.label = label
      self.isExtractable = isExtractable
      self.protection = protection
    }
  }

  /// The way in which a request selects a private key.
  public enum KeySelector: Sendable, Hashable {
    /// The key with a tag.
    case name(KeyName)
    /// The key with a persistent reference.
    case reference(PersistentReference)
  }

  /// The name of the operation, as the audit log has it.
  public var name: String {
    switch self {
    case .secret: "get"
    case .items(_, let secrets): secrets ? "get-items" : "list"
    case .add: "add"
    case .set: "set"
    case .update: "update"
    case .delete: "delete"
    case .deleteAll: "delete-all"
    case .createKey, .createHardwareKey: "create-key"
    case .importKey: "import-key"
    case .publicKey: "public-key"
    case .useKey(_, let use): use.name
    case .exportKey: "export-key"
    case .deleteKey: "delete-key"
    }
  }

  /// True if the operation changes items.
  public var isWriting: Bool { code.isWriting }

  /// The access groups that the operation names. It uses no others, unless it names none.
  public var namedGroups: [String] {
    guard let group = target.group else {
      // Without the group of the items, any of the caller's may have them.
      return []
    }
    guard case .update(_, let change, _) = self, let other = change.group else { return [group] }
    return [group, other]
  }

  /// The primary key of the item that the operation is about, or nil if it names the item in another
  /// way, or several items.
  public var key: PrimaryKey? {
    if case .items(.key(let key)) = target { key } else { nil }
  }

  /// The purpose of an operation on a private key in words, such as `to sign: tag work`. nil for other
  /// operations.
  public var keyPurpose: String? {
    switch target {
    case .items, .group: nil
    case .privateKey: "to \(name.split(separator: "-").joined(separator: " ")): \(subject)"
    }
  }

  /// The items that the operation is about, in words, without secrets.
  public var subject: String {
    switch target {
    case .items(let items): items.words
    case .group(let group): "group \(group)"
    case .privateKey(.name(let name)): name.words
    case .privateKey(.reference(let reference)): ItemSelector.reference(reference).words
    }
  }

  /// The subject of an operation.
  private enum Target {
    case items(ItemSelector)
    case group(String)
    case privateKey(KeySelector)

    /// The access group, or nil if it is not named.
    var group: String? {
      switch self {
      case .items(.key(let key)): key.group
      case .items(.query(let query)): query.group
      case .group(let group): group
      case .privateKey(.name(let name)): name.group
      case .items(.reference), .privateKey(.reference): nil
      }
    }
  }

  private var target: Target {
    switch self {
    case .secret(let items), .items(let items, _), .update(let items, _, _), .delete(let items):
      .items(items)
    case .add(let key, _, _, _, _), .set(let key, _, _, _): .items(.key(key))
    case .deleteAll(let group): .group(group)
    case .createKey(_, let traits), .createHardwareKey(let traits), .importKey(_, let traits, _):
      .privateKey(.name(traits.name))
    case .publicKey(let name), .exportKey(let name), .deleteKey(let name): .privateKey(.name(name))
    case .useKey(let key, _): .privateKey(key)
    }
  }
}

extension KeychainOperation.KeyName {
  fileprivate var words: String { "tag \(tag)" + (group.map { ", group \($0)" } ?? "") }
}

extension ItemSelector {
  fileprivate var words: String {
    switch self {
    case .key(let key): Self.words(nil, key.attributes, key.group)
    case .reference(let reference): "reference \(reference.data.base64EncodedString())"
    case .query(let query):
      Self.words(query.itemClass.rawValue, query.attributes, query.group)
        + (query.reference.map { ", number \($0.number)" } ?? "")
    }
  }

  private static func words(
    _ itemClass: String?, _ attributes: ItemAttributes, _ group: String?
  ) -> String {
    ([itemClass].compactMap { $0 } + attributes.inWords
      + [group.map { "group \($0)" }].compactMap { $0 })
      .joined(separator: ", ")
  }
}
