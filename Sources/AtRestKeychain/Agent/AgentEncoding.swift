@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The parts of the agent's messages (`docs/Agent.md`).
extension ByteWriter {
  mutating func flag(_ value: Bool) { integer(UInt8(value ? 1 : 0)) }

  mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    flag(value != nil)
    if let value { write(&self, value) }
  }

  mutating func optional(utf8 text: String?) { optional(text) { $0.counted(utf8: $1) } }

  mutating func groups(_ groups: [String]) {
    integer(UInt16(clamping: groups.count))
    for group in groups { counted(utf8: group) }
  }

  mutating func attributes(_ attributes: ItemAttributes) {
    integer(UInt16(clamping: attributes.count))
    for (attribute, value) in attributes {
      counted(utf8: attribute.rawValue)
      switch value {
      case .text(let text):
        integer(UInt8(1))
        counted(utf8: text)
      case .data(let data):
        integer(UInt8(2))
        counted(data)
      case .number(let number):
        integer(UInt8(3))
        integer(number)
      case .date(let date):
        integer(UInt8(4))
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        integer(Int64(exactly: milliseconds) ?? .max)
      }
    }
  }

  mutating func key(_ key: PrimaryKey) {
    counted(utf8: key.itemClass.rawValue)
    flag(key.isSynchronizable)
    counted(utf8: key.group ?? "")
    attributes(key.attributes)
  }

  mutating func protection(_ protection: ItemProtection) {
    counted(utf8: protection.accessibility.rawValue)
    optional(protection.accessControl) { $1.encode(into: &$0) }
  }

  mutating func grant(_ grant: AgentGrant) {
    counted(utf8: grant.evidence.kind.rawValue)
    counted(utf8: grant.evidence.value)
    groups(grant.groups)
    flag(grant.mayWrite)
    flag(grant.isForSandboxes)
  }

  mutating func secret(_ secret: AgentSecret) {
    secret.bytes.withUnsafeBytes { counted($0) }
  }
}

extension ByteReader {
  mutating func flag() throws -> Bool {
    let value: UInt8 = try integer()
    guard value < 2 else { throw AgentLimits.malformed }
    return value == 1
  }

  mutating func interaction() throws -> AuthenticationContext.Interaction {
    guard let interaction = AuthenticationContext.Interaction(number: try integer()) else {
      throw AgentLimits.malformed
    }
    return interaction
  }

  mutating func optional<Value>(_ read: (inout ByteReader) throws -> Value) throws -> Value? {
    try flag() ? read(&self) : nil
  }

  mutating func data(limit: Int) throws -> Data { Data(try counted(limit: limit)) }

  mutating func groups() throws -> [String] {
    let count: UInt16 = try integer()
    guard count <= AgentLimits.parts else { throw AgentLimits.malformed }
    return try (0..<count).map { _ in try text() }
  }

  /// - Parameter limit: The largest size of a value in bytes.
  mutating func attributes(limit: Int = AgentLimits.text) throws -> ItemAttributes {
    let count: UInt16 = try integer()
    guard count <= AgentLimits.parts else { throw AgentLimits.malformed }
    var attributes = ItemAttributes()
    for _ in 0..<count {
      let attribute = ItemAttribute(rawValue: try text())
      let kind: UInt8 = try integer()
      switch kind {
      case 1:
        let bytes = try counted(limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw AgentLimits.malformed
        }
        attributes[attribute] = .text(text)
      case 2: attributes[attribute] = .data(try data(limit: limit))
      case 3: attributes[attribute] = .number(try integer())
      case 4:
        let milliseconds: Int64 = try integer()
        guard milliseconds.magnitude <= AgentLimits.latestDate else { throw AgentLimits.malformed }
        attributes[attribute] = .date(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
      default: throw AgentLimits.malformed
      }
    }
    return attributes
  }

  mutating func itemClass() throws -> ItemClass {
    guard let itemClass = ItemClass(rawValue: try text()) else { throw AgentLimits.malformed }
    return itemClass
  }

  mutating func key() throws -> PrimaryKey {
    let itemClass = try itemClass()
    let isSynchronizable = try flag()
    let group = try text()
    return try PrimaryKey(
      itemClass, attributes(limit: AgentRequest.largest), group: group.isEmpty ? nil : group,
      synchronizable: isSynchronizable)
  }

  mutating func accessibility() throws -> Accessibility {
    guard let accessibility = Accessibility(rawValue: try text()) else {
      throw AgentLimits.malformed
    }
    return accessibility
  }

  mutating func protection() throws -> ItemProtection {
    let accessibility = try accessibility()
    guard let control = try optional({ try AccessControl(from: &$0) }) else {
      return .accessible(accessibility)
    }
    guard control.accessibility == accessibility else { throw AgentLimits.malformed }
    return .controlled(control)
  }

  mutating func grant() throws -> AgentGrant {
    guard let kind = AgentEvidence.Kind(rawValue: try text()) else { throw AgentLimits.malformed }
    let evidence = AgentEvidence(kind, try text())
    return try AgentGrant(
      evidence, groups: groups(), mayWrite: flag(), isForSandboxes: flag())
  }

  mutating func secret() throws -> AgentSecret {
    AgentSecret(SecretBytes(copying: try counted(limit: AgentRequest.largest)))
  }

  mutating func reference() throws -> PersistentReference {
    try PersistentReference(data: data(limit: AgentLimits.text))
  }
}
