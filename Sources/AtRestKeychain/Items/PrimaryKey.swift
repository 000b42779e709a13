import AtRestCrypto
import Foundation

/// What makes an item the one it is: its class, the attributes of the class's primary key, its
/// access group, and whether it is synchronizable. Accessibility is no part of it.
///
/// ```swift
/// let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
/// ```
public struct PrimaryKey: Hashable, Sendable, Codable {
  /// The kind of item.
  public let itemClass: ItemClass
  /// The attributes of the class's primary key; what is left out counts as empty.
  public let attributes: Attributes
  /// The access group, or nil: the default one when writing, any of the caller's when reading.
  public var group: String?
  /// True if the item may be synchronised. Part of the key: with and without are two items.
  public var isSynchronizable: Bool

  /// A key from attributes.
  ///
  /// - Throws: `noSuchAttribute` or ``AtRestError/Code/invalidArgument`` if an attribute is none of
  ///   the
  ///   class's primary key, or has a value of another type.
  public init(
    _ itemClass: ItemClass, _ attributes: Attributes, group: String? = nil,
    synchronizable: Bool = false
  ) throws {
    let normalized = try attributes.normalized(for: itemClass)
    for (attribute, _) in normalized
    where !itemClass.primaryKeyAttributes.contains(attribute) {
      throw AtRestError.invalid(
        "The attribute \(attribute) is no part of the primary key of class "
          + "\(itemClass.rawValue).",
        remedy: "Give it as an attribute of the item.")
    }
    self.init(
      unchecked: itemClass, normalized, group: group, synchronizable: synchronizable)
  }

  init(
    unchecked itemClass: ItemClass, _ attributes: Attributes, group: String?,
    synchronizable: Bool
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.group = group
    isSynchronizable = synchronizable
  }

  /// The key of a generic password.
  public static func genericPassword(
    service: String, account: String, group: String? = nil, synchronizable: Bool = false
  ) -> PrimaryKey {
    PrimaryKey(
      unchecked: .genericPassword, [.service: .text(service), .account: .text(account)],
      group: group, synchronizable: synchronizable)
  }

  /// The key of an internet password.
  ///
  /// - Parameter networkProtocol: Apple's four-letter code, such as `htps`, as a number.
  public static func internetPassword(
    server: String, account: String, port: Int? = nil, path: String? = nil,
    networkProtocol: Int? = nil, securityDomain: String? = nil, group: String? = nil,
    synchronizable: Bool = false
  ) -> PrimaryKey {
    var attributes: Attributes = [.server: .text(server), .account: .text(account)]
    if let port { attributes[.port] = .number(Int64(port)) }
    if let path { attributes[.path] = .text(path) }
    if let networkProtocol { attributes[.networkProtocol] = .number(Int64(networkProtocol)) }
    if let securityDomain { attributes[.securityDomain] = .text(securityDomain) }
    return PrimaryKey(
      unchecked: .internetPassword, attributes, group: group, synchronizable: synchronizable)
  }

  /// The key of a certificate, kept as DER.
  public static func certificate(
    issuer: Data, serialNumber: Data, group: String? = nil
  ) -> PrimaryKey {
    PrimaryKey(
      unchecked: .certificate,
      [.certificateType: 1, .issuer: .data(issuer), .serialNumber: .data(serialNumber)],
      group: group, synchronizable: false)
  }

  /// The bytes that are hashed to find the row, for one access group.
  func encoded(in group: String) -> [UInt8] {
    var writer = ByteWriter(capacity: 96)
    writer.integer(itemClass.number)
    writer.integer(UInt8(isSynchronizable ? 1 : 0))
    writer.counted(utf8: group)
    for attribute in itemClass.primaryKeyAttributes {
      // An absent value and an empty one are the same key.
      if let value = attributes[attribute], value != .number(0) || attribute.kind != .number {
        value.encode(into: &writer)
      } else {
        writer.integer(UInt32(0))
      }
    }
    return writer.bytes
  }

  /// The key in words, for error messages. Attributes are no secrets.
  package var words: String {
    let parts = attributes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    return parts.isEmpty ? "of class \(itemClass.rawValue)" : "with \(parts)"
  }
}

/// Finds an item again whatever changes about it: also after its account or service did.
public struct PersistentReference: Hashable, Sendable, Codable {
  /// 25 bytes: class, store and number. Not secret, and no permission.
  public let data: Data

  /// Takes bytes that ``data`` gave.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if they are no reference.
  public init(data: Data) throws {
    guard data.count == 25, ItemClass.allCases.contains(where: { $0.number == data.first }) else {
      throw AtRestError.invalid(
        "These \(data.count) bytes are no persistent reference.",
        remedy: "Use the bytes that an item's reference gave.")
    }
    self.data = data
  }

  init(classNumber: UInt8, store: Data, id: Int64) {
    var writer = ByteWriter(capacity: 25)
    writer.integer(classNumber)
    writer.fixed(store)
    writer.integer(id)
    data = writer.data
  }

  /// The class of the item.
  package var itemClass: ItemClass? { data.first.flatMap { try? ItemClass(number: $0) } }

  /// The row's number, or nil if the reference is of another store.
  func id(in store: Data) -> Int64? {
    guard data.dropFirst().prefix(16) == store else { return nil }
    return data.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
  }
}
