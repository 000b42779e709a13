@_spi(Tools) import AtRestCrypto
import Foundation

/// The attributes that identify an item: its class, the attributes of the class's primary key, its
/// access group, and whether it is synchronizable. The accessibility is not part of the key.
///
/// ```swift
/// let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
/// ```
public struct PrimaryKey: Hashable, Sendable, Codable {
  /// The class of the item.
  public let itemClass: ItemClass
  /// The attributes of the class's primary key. A missing attribute has its default value: empty, 0
  /// or the first instant of 2001.
  public let attributes: ItemAttributes
  /// The access group. nil means the default group when writing, and any of the caller's groups
  /// when reading.
  public var group: String?
  /// True if the item may be synchronised. The flag is part of the key: two items may differ only
  /// in this flag.
  public var isSynchronizable: Bool

  /// Creates a key from attributes.
  ///
  /// - Throws: ``AtRestError/Code/noSuchAttribute`` or ``AtRestError/Code/invalidArgument`` if an
  ///   attribute is not part of the class's primary key, or has a value of another type.
  public init(
    _ itemClass: ItemClass, _ attributes: ItemAttributes, group: String? = nil,
    synchronizable: Bool = false
  ) throws {
    let normalized = try attributes.normalized(for: itemClass)
    for (attribute, _) in normalized
    where !itemClass.primaryKeyAttributes.contains(attribute) {
      throw AtRestError.invalid(
        "The attribute \(attribute) is not part of the primary key of class "
          + "\(itemClass.rawValue).",
        remedy: "Set it as an attribute of the item.")
    }
    self.init(
      unchecked: itemClass, normalized, group: group, synchronizable: synchronizable)
  }

  init(
    unchecked itemClass: ItemClass, _ attributes: ItemAttributes, group: String?,
    synchronizable: Bool
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.group = group
    isSynchronizable = synchronizable
  }

  /// Returns the key of a generic password.
  public static func genericPassword(
    service: String, account: String, group: String? = nil, synchronizable: Bool = false
  ) -> PrimaryKey {
    PrimaryKey(
      unchecked: .genericPassword, [.service: .text(service), .account: .text(account)],
      group: group, synchronizable: synchronizable)
  }

  /// Returns the key of an internet password.
  ///
  /// - Parameter networkProtocol: Apple's four-letter code, such as `htps`, as a number.
  public static func internetPassword(
    server: String, account: String, port: Int? = nil, path: String? = nil,
    networkProtocol: Int? = nil, securityDomain: String? = nil, group: String? = nil,
    synchronizable: Bool = false
  ) -> PrimaryKey {
    var attributes: ItemAttributes = [.server: .text(server), .account: .text(account)]
    if let port { attributes[.port] = .number(Int64(port)) }
    if let path { attributes[.path] = .text(path) }
    if let networkProtocol { attributes[.networkProtocol] = .number(Int64(networkProtocol)) }
    if let securityDomain { attributes[.securityDomain] = .text(securityDomain) }
    return PrimaryKey(
      unchecked: .internetPassword, attributes, group: group, synchronizable: synchronizable)
  }

  /// Returns the key of a certificate. The item stores the certificate in DER.
  public static func certificate(
    issuer: Data, serialNumber: Data, group: String? = nil
  ) -> PrimaryKey {
    PrimaryKey(
      unchecked: .certificate,
      [.certificateType: 1, .issuer: .data(issuer), .serialNumber: .data(serialNumber)],
      group: group, synchronizable: false)
  }

  /// Returns the bytes whose hash finds the item's row in one access group.
  func encoded(in group: String) -> [UInt8] {
    var writer = ByteWriter(capacity: 96)
    writer.integer(itemClass.number)
    writer.integer(UInt8(isSynchronizable ? 1 : 0))
    writer.counted(utf8: group)
    for attribute in itemClass.primaryKeyAttributes {
      // A missing value and the default value make the same key.
      if let value = attributes[attribute], !value.isEmpty(for: attribute) {
        value.encode(into: &writer)
      } else {
        writer.integer(UInt32(0))
      }
    }
    return writer.bytes
  }

  /// The key in words, for error messages. Attributes are not secret.
  package var words: String {
    let parts = attributes.inWords.joined(separator: ", ")
    return parts.isEmpty ? "of class \(itemClass.rawValue)" : "with \(parts)"
  }
}

extension PrimaryKey {
  /// Two keys are equal if their bytes are: also those of the access groups.
  public static func == (one: PrimaryKey, other: PrimaryKey) -> Bool {
    one.itemClass == other.itemClass && one.isSynchronizable == other.isSynchronizable
      && one.attributes == other.attributes
      && one.group.map { Array($0.utf8) } == other.group.map { Array($0.utf8) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(itemClass)
    hasher.combine(isSynchronizable)
    hasher.combine(attributes)
    hasher.combine(group.map { Array($0.utf8) })
  }
}
