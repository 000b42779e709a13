import AtRestCrypto
import AtRestKeybag
import Foundation

/// The bytes of an operation.
extension KeychainOperation {
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .secret(let items):
      writer.integer(UInt8(1))
      items.encode(into: &writer)
    case .items(let items, let secrets):
      writer.integer(UInt8(2))
      items.encode(into: &writer)
      writer.flag(secrets)
    case .add(let key, let attributes, let protection, let secret, let isHardwareKey):
      writer.integer(UInt8(3))
      writer.key(key)
      writer.attributes(attributes)
      writer.protection(protection)
      writer.optional(secret) { $0.secret($1) }
      writer.flag(isHardwareKey)
    case .set(let key, let attributes, let protection, let secret):
      writer.integer(UInt8(4))
      writer.key(key)
      writer.attributes(attributes)
      writer.optional(protection) { $0.protection($1) }
      writer.secret(secret)
    case .update(let items, let change, let secret):
      writer.integer(UInt8(5))
      items.encode(into: &writer)
      change.encode(into: &writer)
      writer.optional(secret) { $0.secret($1) }
    case .delete(let items):
      writer.integer(UInt8(6))
      items.encode(into: &writer)
    case .createKey(let algorithm, let traits):
      writer.integer(UInt8(7))
      writer.counted(utf8: algorithm.name)
      traits.encode(into: &writer)
    case .createHardwareKey(let traits):
      writer.integer(UInt8(8))
      traits.encode(into: &writer)
    case .importKey(let algorithm, let traits, let secret):
      writer.integer(UInt8(9))
      writer.counted(utf8: algorithm.name)
      traits.encode(into: &writer)
      writer.secret(secret)
    case .publicKey(let name):
      writer.integer(UInt8(10))
      name.encode(into: &writer)
    case .useKey(let key, let use):
      writer.integer(UInt8(11))
      switch key {
      case .name(let name):
        writer.flag(false)
        name.encode(into: &writer)
      case .reference(let reference):
        writer.flag(true)
        writer.counted(reference.data)
      }
      use.encode(into: &writer)
    case .exportKey(let name):
      writer.integer(UInt8(12))
      name.encode(into: &writer)
    case .deleteKey(let name):
      writer.integer(UInt8(13))
      name.encode(into: &writer)
    }
  }

  init(from reader: inout ByteReader) throws {
    let code: UInt8 = try reader.integer()
    switch code {
    case 1: self = .secret(try ItemSelector(from: &reader))
    case 2: self = .items(try ItemSelector(from: &reader), secrets: try reader.flag())
    case 3:
      self = .add(
        try reader.key(), try reader.attributes(limit: AgentRequest.largest),
        try reader.protection(), secret: try reader.optional { try $0.secret() },
        isHardwareKey: try reader.flag())
    case 4:
      self = .set(
        try reader.key(), try reader.attributes(limit: AgentRequest.largest),
        try reader.optional { try $0.protection() }, secret: try reader.secret())
    case 5:
      self = .update(
        try ItemSelector(from: &reader), try ItemChange(from: &reader),
        secret: try reader.optional { try $0.secret() })
    case 6: self = .delete(try ItemSelector(from: &reader))
    case 7: self = .createKey(try Self.algorithm(&reader), try KeyTraits(from: &reader))
    case 8: self = .createHardwareKey(try KeyTraits(from: &reader))
    case 9:
      self = .importKey(
        try Self.algorithm(&reader), try KeyTraits(from: &reader), try reader.secret())
    case 10: self = .publicKey(try KeyName(from: &reader))
    case 11:
      let key: KeySelector =
        try reader.flag() ? .reference(reader.reference()) : .name(KeyName(from: &reader))
      self = .useKey(key, try KeyUse(from: &reader))
    case 12: self = .exportKey(try KeyName(from: &reader))
    case 13: self = .deleteKey(try KeyName(from: &reader))
    default: throw AgentLimits.malformed
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
