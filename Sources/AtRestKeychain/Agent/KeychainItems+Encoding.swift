@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The bytes of items in the agent's answers.
extension KeychainItems {
  func encode(into writer: inout ByteWriter) {
    writer.integer(UInt32(clamping: count))
    for item in self { item.encode(into: &writer) }
    writer.integer(UInt32(clamping: withheld.count))
    for item in withheld {
      writer.optional(item.reference) { $0.counted($1.data) }
      writer.error(item.reason)
    }
  }

  init(from reader: inout ByteReader) throws {
    let count: UInt32 = try reader.integer()
    var items: [KeychainItem] = []
    for _ in 0..<count { items.append(try KeychainItem(from: &reader)) }
    let hidden: UInt32 = try reader.integer()
    var withheld: [Withheld] = []
    for _ in 0..<hidden {
      withheld.append(
        Withheld(reference: try reader.optional { try $0.reference() }, reason: try reader.error()))
    }
    self.init(items, withheld: withheld)
  }
}

extension KeychainItem {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.counted(reference.data)
    writer.key(primaryKey)
    writer.attributes(attributes)
    writer.protection(protection)
    writer.flag(hasSecret)
    writer.flag(isHardwareKey)
    let isWritten: Void? = withSecret {
      writer.flag(true)
      writer.counted($0)
    }
    if isWritten == nil { writer.flag(false) }
  }

  fileprivate convenience init(from reader: inout ByteReader) throws {
    let largest = AgentResponse.largest
    self.init(
      reference: try reader.reference(), primaryKey: try reader.key(),
      attributes: try reader.attributes(limit: largest), protection: try reader.protection(),
      hasSecret: try reader.flag(), isHardwareKey: try reader.flag(),
      secret: try reader.optional {
        SecretBox(SecretBytes(copying: try $0.counted(limit: largest)))
      }
    )
  }
}
