import AtRestCrypto
import AtRestKeychain
import Foundation

/// A request to the agent. `docs/Agent.md` describes its bytes.
public enum AgentRequest: Sendable {
  /// Asks for the agent's state.
  case status
  /// Unlocks the store for all processes.
  case unlock(passcode: AgentSecret)
  /// Locks the store for all processes.
  case lock
  /// Asks for the secret of an item.
  ///
  /// - Parameter groups: The access groups that the caller wants to use. They only narrow what is
  ///   granted. Without any, all granted groups are used.
  case get(PrimaryKey, groups: [String])
  /// Adds an item, or gives it a new secret.
  case set(PrimaryKey, secret: AgentSecret, accessible: Accessibility, groups: [String])
  /// Deletes an item.
  case delete(PrimaryKey, groups: [String])
  /// Asks for the items of a class with given attributes.
  case list(ItemClass, ItemAttributes, groups: [String])
  /// Asks for all grants.
  case grants
  /// Gives a grant. Requires the store's passcode.
  case addGrant(AgentGrant, passcode: AgentSecret)
  /// Removes a grant. Requires the store's passcode.
  case removeGrant(String, passcode: AgentSecret)
  /// Asks for the last entries of the audit log.
  case log(count: UInt16)

  /// The version of the messages.
  public static let version: UInt8 = 1
  /// The size of the largest message in bytes, without its length.
  public static let largest = 1 << 20
  private static let largestText = 4096
  private static let mostParts = 64
  /// The year 10889, in milliseconds since 1970. Up to here, dates are exact.
  private static let latestDate: UInt64 = 1 << 48

  /// The name of the operation, as the audit log has it.
  public var operation: String {
    switch self {
    case .status: "status"
    case .unlock: "unlock"
    case .lock: "lock"
    case .get: "get"
    case .set: "set"
    case .delete: "delete"
    case .list: "list"
    case .grants: "grants"
    case .addGrant: "add-grant"
    case .removeGrant: "remove-grant"
    case .log: "log"
    }
  }

  // MARK: As bytes

  /// Returns the bytes of the message, without its length.
  public func encoded() throws -> SecretBytes {
    var writer = ByteWriter()
    defer { writer.erase() }
    writer.integer(Self.version)
    switch self {
    case .status: writer.integer(UInt8(1))
    case .unlock(let passcode):
      writer.integer(UInt8(2))
      passcode.bytes.withUnsafeBytes { writer.counted($0) }
    case .lock: writer.integer(UInt8(3))
    case .get(let key, let groups):
      writer.integer(UInt8(4))
      Self.encode(key, groups, into: &writer)
    case .set(let key, let secret, let accessible, let groups):
      writer.integer(UInt8(5))
      Self.encode(key, groups, into: &writer)
      writer.counted(utf8: accessible.rawValue)
      secret.bytes.withUnsafeBytes { writer.counted($0) }
    case .delete(let key, let groups):
      writer.integer(UInt8(6))
      Self.encode(key, groups, into: &writer)
    case .list(let itemClass, let attributes, let groups):
      writer.integer(UInt8(7))
      writer.counted(utf8: itemClass.rawValue)
      Self.encode(attributes, into: &writer)
      Self.encode(groups, into: &writer)
    case .grants: writer.integer(UInt8(8))
    case .addGrant(let grant, let passcode):
      writer.integer(UInt8(9))
      writer.counted(utf8: grant.evidence.kind.rawValue)
      writer.counted(utf8: grant.evidence.value)
      Self.encode(grant.groups, into: &writer)
      writer.integer(UInt8(grant.mayWrite ? 1 : 0))
      passcode.bytes.withUnsafeBytes { writer.counted($0) }
    case .removeGrant(let id, let passcode):
      writer.integer(UInt8(10))
      writer.counted(utf8: id)
      passcode.bytes.withUnsafeBytes { writer.counted($0) }
    case .log(let count):
      writer.integer(UInt8(11))
      writer.integer(count)
    }
    guard writer.bytes.count <= Self.largest else {
      throw AtRestError.invalid(
        "The message has \(writer.bytes.count) bytes; the agent takes at most \(Self.largest).",
        remedy: "Store a secret of this size without the agent, or as a protected file.")
    }
    return SecretBytes(writer.bytes)
  }

  /// Reads a message.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` for other bytes;
  ///   ``AtRestError/Code/unsupportedVersion``.
  public init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The request")
    let version: UInt8 = try reader.integer()
    guard version == Self.version else {
      throw AtRestError.unsupported("The request", version: version, known: Self.version)
    }
    let operation: UInt8 = try reader.integer()
    switch operation {
    case 1: self = .status
    case 2: self = .unlock(passcode: try Self.secret(&reader))
    case 3: self = .lock
    case 4:
      let (key, groups) = try Self.key(&reader)
      self = .get(key, groups: groups)
    case 5:
      let (key, groups) = try Self.key(&reader)
      guard let accessible = Accessibility(rawValue: try Self.text(&reader)) else {
        throw Self.malformed
      }
      self = .set(key, secret: try Self.secret(&reader), accessible: accessible, groups: groups)
    case 6:
      let (key, groups) = try Self.key(&reader)
      self = .delete(key, groups: groups)
    case 7:
      guard let itemClass = ItemClass(rawValue: try Self.text(&reader)) else {
        throw Self.malformed
      }
      let attributes = try Self.attributes(&reader)
      self = .list(itemClass, attributes, groups: try Self.groups(&reader))
    case 8: self = .grants
    case 9:
      guard let kind = AgentEvidence.Kind(rawValue: try Self.text(&reader)) else {
        throw Self.malformed
      }
      let evidence = AgentEvidence(kind, try Self.text(&reader))
      let groups = try Self.groups(&reader)
      let flag: UInt8 = try reader.integer()
      guard flag < 2 else { throw Self.malformed }
      let grant = AgentGrant(evidence, groups: groups, mayWrite: flag == 1)
      self = .addGrant(grant, passcode: try Self.secret(&reader))
    case 10:
      let id = try Self.text(&reader)
      self = .removeGrant(id, passcode: try Self.secret(&reader))
    case 11: self = .log(count: try reader.integer())
    default: throw Self.malformed
    }
    try reader.finish()
  }

  private static let malformed = AtRestError.damaged(
    "The request has no meaning in this version of the protocol.",
    remedy: "Use the same version of atrest and atrest-agent.")

  private static func encode(_ groups: [String], into writer: inout ByteWriter) {
    writer.integer(UInt16(clamping: groups.count))
    for group in groups { writer.counted(utf8: group) }
  }

  private static func encode(
    _ key: PrimaryKey, _ groups: [String], into writer: inout ByteWriter
  ) {
    writer.counted(utf8: key.itemClass.rawValue)
    writer.integer(UInt8(key.isSynchronizable ? 1 : 0))
    writer.counted(utf8: key.group ?? "")
    encode(key.attributes, into: &writer)
    encode(groups, into: &writer)
  }

  private static func encode(_ attributes: ItemAttributes, into writer: inout ByteWriter) {
    writer.integer(UInt16(clamping: attributes.count))
    for (attribute, value) in attributes {
      writer.counted(utf8: attribute.rawValue)
      switch value {
      case .text(let text):
        writer.integer(UInt8(1))
        writer.counted(utf8: text)
      case .data(let data):
        writer.integer(UInt8(2))
        writer.counted(data)
      case .number(let number):
        writer.integer(UInt8(3))
        writer.integer(number)
      case .date(let date):
        writer.integer(UInt8(4))
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        writer.integer(Int64(exactly: milliseconds) ?? .max)
      }
    }
  }

  private static func text(_ reader: inout ByteReader) throws -> String {
    let bytes = try reader.counted(limit: largestText)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed }
    return text
  }

  private static func secret(_ reader: inout ByteReader) throws -> AgentSecret {
    AgentSecret(SecretBytes(copying: try reader.counted(limit: largest)))
  }

  private static func groups(_ reader: inout ByteReader) throws -> [String] {
    let count: UInt16 = try reader.integer()
    guard count <= mostParts else { throw malformed }
    return try (0..<count).map { _ in try text(&reader) }
  }

  private static func key(_ reader: inout ByteReader) throws -> (PrimaryKey, [String]) {
    guard let itemClass = ItemClass(rawValue: try text(&reader)) else { throw malformed }
    let flag: UInt8 = try reader.integer()
    guard flag < 2 else { throw malformed }
    let group = try text(&reader)
    let attributes = try attributes(&reader)
    let groups = try groups(&reader)
    let key = try PrimaryKey(
      itemClass, attributes, group: group.isEmpty ? nil : group, synchronizable: flag == 1)
    return (key, groups)
  }

  private static func attributes(_ reader: inout ByteReader) throws -> ItemAttributes {
    let count: UInt16 = try reader.integer()
    guard count <= mostParts else { throw malformed }
    var attributes = ItemAttributes()
    for _ in 0..<count {
      let attribute = ItemAttribute(rawValue: try text(&reader))
      let kind: UInt8 = try reader.integer()
      switch kind {
      case 1: attributes[attribute] = .text(try text(&reader))
      case 2: attributes[attribute] = .data(Data(try reader.counted(limit: largestText)))
      case 3: attributes[attribute] = .number(try reader.integer())
      case 4:
        let milliseconds: Int64 = try reader.integer()
        guard milliseconds.magnitude <= latestDate else { throw malformed }
        attributes[attribute] = .date(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
      default: throw malformed
      }
    }
    return attributes
  }
}
