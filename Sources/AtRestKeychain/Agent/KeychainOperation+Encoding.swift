@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The bytes of an operation.
extension KeychainOperation {
  /// The number of an operation, before its fields.
  enum Code: UInt8 {
    case secret = 1
    case items = 2
    case add = 3
    case set = 4
    case update = 5
    case delete = 6
    case createKey = 7
    case createHardwareKey = 8
    case importKey = 9
    case publicKey = 10
    case useKey = 11
    case exportKey = 12
    case deleteKey = 13
    case deleteAll = 14

    /// True if the operation changes items.
    var isWriting: Bool {
      switch self {
      case .secret, .items, .publicKey, .useKey, .exportKey: false
      case .add, .set, .update, .delete, .deleteAll: true
      case .createKey, .createHardwareKey, .importKey, .deleteKey: true
      }
    }
  }

  var code: Code {
    switch self {
    case .secret: .secret
    case .items: .items
    case .add: .add
    case .set: .set
    case .update: .update
    case .delete: .delete
    case .deleteAll: .deleteAll
    case .createKey: .createKey
    case .createHardwareKey: .createHardwareKey
    case .importKey: .importKey
    case .publicKey: .publicKey
    case .useKey: .useKey
    case .exportKey: .exportKey
    case .deleteKey: .deleteKey
    }
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(code.rawValue)
    switch self {
    case .secret(let items), .delete(let items): items.encode(into: &writer)
    case .items(let items, let secrets):
      items.encode(into: &writer)
      writer.flag(secrets)
    case .add(let key, let attributes, let protection, let secret, let isHardwareKey):
      writer.key(key)
      writer.attributes(attributes)
      writer.protection(protection)
      writer.optional(secret) { $0.secret($1) }
      writer.flag(isHardwareKey)
    case .set(let key, let attributes, let protection, let secret):
      writer.key(key)
      writer.attributes(attributes)
      writer.optional(protection) { $0.protection($1) }
      writer.secret(secret)
    case .update(let items, let change, let secret):
      items.encode(into: &writer)
      change.encode(into: &writer)
      writer.optional(secret) { $0.secret($1) }
    case .deleteAll(let group): writer.counted(utf8: group)
    case .createKey(let algorithm, let traits):
      writer.counted(utf8: algorithm.name)
      traits.encode(into: &writer)
    case .createHardwareKey(let traits): traits.encode(into: &writer)
    case .importKey(let algorithm, let traits, let secret):
      writer.counted(utf8: algorithm.name)
      traits.encode(into: &writer)
      writer.secret(secret)
    case .useKey(let key, let use):
      key.encode(into: &writer)
      use.encode(into: &writer)
    case .publicKey(let name), .exportKey(let name), .deleteKey(let name):
      name.encode(into: &writer)
    }
  }

  init(from reader: inout ByteReader) throws {
    guard let code = Code(rawValue: try reader.integer()) else { throw AgentLimits.malformed }
    switch code {
    case .secret:
      let item = try ItemSelector(from: &reader)
      // A query does not name a single item.
      if case .query = item { throw AgentLimits.malformed }
      self = .secret(item)
    case .items: self = .items(try ItemSelector(from: &reader), secrets: try reader.flag())
    case .add:
      self = .add(
        try reader.key(), try reader.attributes(limit: AgentRequest.largest),
        try reader.protection(), secret: try reader.optional { try $0.secret() },
        isHardwareKey: try reader.flag())
    case .set:
      self = .set(
        try reader.key(), try reader.attributes(limit: AgentRequest.largest),
        try reader.optional { try $0.protection() }, secret: try reader.secret())
    case .update:
      self = .update(
        try ItemSelector(from: &reader), try ItemChange(from: &reader),
        secret: try reader.optional { try $0.secret() })
    case .delete: self = .delete(try ItemSelector(from: &reader))
    case .deleteAll: self = .deleteAll(try reader.text())
    case .createKey: self = .createKey(try Self.algorithm(&reader), try KeyTraits(from: &reader))
    case .createHardwareKey: self = .createHardwareKey(try KeyTraits(from: &reader))
    case .importKey:
      self = .importKey(
        try Self.algorithm(&reader), try KeyTraits(from: &reader), try reader.secret())
    case .publicKey: self = .publicKey(try KeyName(from: &reader))
    case .useKey: self = .useKey(try KeySelector(from: &reader), try KeyUse(from: &reader))
    case .exportKey: self = .exportKey(try KeyName(from: &reader))
    case .deleteKey: self = .deleteKey(try KeyName(from: &reader))
    }
  }

  private static func algorithm(_ reader: inout ByteReader) throws -> KeyAlgorithm {
    guard let algorithm = KeyAlgorithm(name: try reader.text()) else {
      throw AgentLimits.malformed
    }
    return algorithm
  }
}

extension KeychainOperation.KeyName {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.counted(utf8: tag)
    writer.optional(utf8: group)
  }

  fileprivate init(from reader: inout ByteReader) throws {
    self.init(try reader.text(), group: try reader.optional { try $0.text() })
  }
}

extension KeychainOperation.KeySelector {
  fileprivate func encode(into writer: inout ByteWriter) {
    switch self {
    case .name(let name):
      writer.flag(false)
      name.encode(into: &writer)
    case .reference(let reference):
      writer.flag(true)
      writer.counted(reference.data)
    }
  }

  fileprivate init(from reader: inout ByteReader) throws {
    self =
      try reader.flag()
      ? .reference(reader.reference())
      : .name(KeychainOperation.KeyName(from: &reader))
  }
}

extension KeychainOperation.KeyTraits {
  fileprivate func encode(into writer: inout ByteWriter) {
    name.encode(into: &writer)
    writer.optional(utf8: label)
    writer.flag(isExtractable)
    writer.protection(protection)
  }

  fileprivate init(from reader: inout ByteReader) throws {
    self.init(
      name: try .init(from: &reader), label: try reader.optional { try $0.text() },
      isExtractable: try reader.flag(), protection: try reader.protection())
  }
}

extension ItemSelector {
  fileprivate func encode(into writer: inout ByteWriter) {
    switch self {
    case .key(let key):
      writer.integer(UInt8(0))
      writer.key(key)
    case .reference(let reference):
      writer.integer(UInt8(1))
      writer.counted(reference.data)
    case .query(let query):
      writer.integer(UInt8(2))
      writer.counted(utf8: query.itemClass.rawValue)
      writer.attributes(query.attributes)
      writer.optional(query.accessibility) { $0.counted(utf8: $1.rawValue) }
      writer.optional(utf8: query.group)
      let synchronizable: UInt8 =
        switch query.synchronizable {
        case .no: 0
        case .yes: 1
        case .any: 2
        }
      writer.integer(synchronizable)
      writer.optional(query.limit) { $0.integer(Int64($1)) }
      writer.optional(query.reference) { $0.counted($1.data) }
    }
  }

  fileprivate init(from reader: inout ByteReader) throws {
    let code: UInt8 = try reader.integer()
    switch code {
    case 0: self = .key(try reader.key())
    case 1: self = .reference(try reader.reference())
    case 2:
      var query = KeychainQuery(
        try reader.itemClass(), try reader.attributes(limit: AgentRequest.largest))
      query.accessibility = try reader.optional { try $0.accessibility() }
      query.group = try reader.optional { try $0.text() }
      let synchronizable: UInt8 = try reader.integer()
      switch synchronizable {
      case 0: query.synchronizable = .no
      case 1: query.synchronizable = .yes
      case 2: query.synchronizable = .any
      default: throw AgentLimits.malformed
      }
      query.limit = try reader.optional { Int(try $0.integer(Int64.self)) }
      query.reference = try reader.optional { try $0.reference() }
      self = .query(query)
    default: throw AgentLimits.malformed
    }
  }
}

extension ItemChange {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.attributes(attributes)
    writer.groups(removed.map(\.rawValue).sorted())
    writer.optional(protection) { $0.protection($1) }
    writer.optional(utf8: group)
    writer.optional(isSynchronizable) { $0.flag($1) }
  }

  fileprivate init(from reader: inout ByteReader) throws {
    self.init(
      attributes: try reader.attributes(limit: AgentRequest.largest),
      removing: Set(try reader.groups().map { ItemAttribute(rawValue: $0) }),
      protection: try reader.optional { try $0.protection() },
      group: try reader.optional { try $0.text() },
      synchronizable: try reader.optional { try $0.flag() })
  }
}
