import AtRestCrypto
import Foundation

/// An operation on items that the agent carries out for another process.
///
/// ``Keychain`` sends it when an agent serves the store, and the agent's own keychain carries it out
/// (``perform(on:context:)``). `docs/Agent.md` describes its bytes.
public enum KeychainOperation: Sendable {
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
    case .createKey, .createHardwareKey: "create-key"
    case .importKey: "import-key"
    case .publicKey: "public-key"
    case .useKey(_, let use): use.name
    case .exportKey: "export-key"
    case .deleteKey: "delete-key"
    }
  }

  /// True if the operation changes items.
  public var isWriting: Bool {
    switch self {
    case .secret, .items, .publicKey, .useKey, .exportKey: false
    case .add, .set, .update, .delete, .createKey, .createHardwareKey, .importKey, .deleteKey: true
    }
  }

  /// The access groups that the operation names. It uses no others, unless it names none.
  public var namedGroups: [String] {
    switch self {
    case .secret(let items), .items(let items, _), .delete(let items):
      items.group.map { [$0] } ?? []
    // Without the group of the items, any of the caller's may have them.
    case .update(let items, let change, _):
      items.group.map { [$0] + (change.group.map { [$0] } ?? []) } ?? []
    case .add(let key, _, _, _, _), .set(let key, _, _, _): key.group.map { [$0] } ?? []
    case .createKey(_, let traits), .createHardwareKey(let traits), .importKey(_, let traits, _):
      traits.name.group.map { [$0] } ?? []
    case .publicKey(let name), .exportKey(let name), .deleteKey(let name),
      .useKey(.name(let name), _):
      name.group.map { [$0] } ?? []
    case .useKey(.reference, _): []
    }
  }

  /// The primary key of the item that the operation is about, or nil if it names the item in another
  /// way, or several items.
  public var key: PrimaryKey? {
    switch self {
    case .secret(.key(let key)), .items(.key(let key), _), .delete(.key(let key)),
      .update(.key(let key), _, _), .add(let key, _, _, _, _), .set(let key, _, _, _):
      key
    default: nil
    }
  }

  /// The purpose of an operation on a private key in words, such as `to sign: tag work`. nil for other
  /// operations.
  public var keyPurpose: String? {
    switch self {
    case .secret, .items, .add, .set, .update, .delete: nil
    default: "to \(name.split(separator: "-").joined(separator: " ")): \(subject)"
    }
  }

  /// The items that the operation is about, in words, without secrets.
  public var subject: String {
    switch self {
    case .secret(let items), .items(let items, _), .delete(let items), .update(let items, _, _):
      items.words
    case .add(let key, _, _, _, _), .set(let key, _, _, _): ItemSelector.words(of: key)
    case .createKey(_, let traits), .createHardwareKey(let traits), .importKey(_, let traits, _):
      traits.name.words
    case .publicKey(let name), .exportKey(let name), .deleteKey(let name),
      .useKey(.name(let name), _):
      name.words
    case .useKey(.reference(let reference), _): ItemSelector.reference(reference).words
    }
  }
}

extension KeychainOperation.KeyName {
  fileprivate var words: String { "tag \(tag)" + (group.map { ", group \($0)" } ?? "") }
}

extension ItemSelector {
  fileprivate var group: String? {
    switch self {
    case .key(let key): key.group
    case .reference: nil
    case .query(let query): query.group
    }
  }

  fileprivate var words: String {
    switch self {
    case .key(let key): Self.words(of: key)
    case .reference(let reference): "reference \(reference.data.base64EncodedString())"
    case .query(let query):
      Self.words(query.itemClass.rawValue, query.attributes, query.group)
    }
  }

  fileprivate static func words(of key: PrimaryKey) -> String {
    words(nil, key.attributes, key.group)
  }

  private static func words(
    _ itemClass: String?, _ attributes: ItemAttributes, _ group: String?
  ) -> String {
    let parts = attributes.map { "\($0.key) \($0.value)" }.sorted()
    return ([itemClass].compactMap { $0 } + parts + [group.map { "group \($0)" }].compactMap { $0 })
      .joined(separator: ", ")
  }
}
