@_spi(Tools) import AtRestCrypto
import Foundation

/// The sealed data of an envelope: `"AtRestED"` ‖ version ‖ identity of the envelope ‖ box.
enum EnvelopeData {
  private static let magic = Data("AtRestED".utf8)
  private static let version: UInt16 = 1

  private static func head(_ id: Data) -> Data {
    var writer = ByteWriter(capacity: 26)
    writer.fixed(magic)
    writer.integer(version)
    writer.fixed(id)
    return writer.data
  }

  private static func boxContext(_ head: Data, _ context: Data) -> Data {
    var writer = ByteWriter()
    writer.fixed(head)
    writer.fixed(context)
    return writer.data
  }

  static func seal(
    _ secret: borrowing SecretBytes, _ id: Data, _ key: borrowing SecretBytes, context: Data
  ) throws -> Data {
    let head = head(id)
    let box = try SealingKey(key.derive(.envelopeData))
      .seal(secret, context: boxContext(head, context))
    return head + box
  }

  static func open(
    _ sealed: Data, _ id: Data, _ key: borrowing SecretBytes, context: Data
  ) throws -> SecretBytes {
    let box = try sealed.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The envelope's data")
      guard try reader.fixed(8).elementsEqual(magic) else {
        throw AtRestError.damaged("This is not the data of an envelope.")
      }
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError.unsupported("The envelope's data", version: version, known: Self.version)
      }
      guard try reader.fixed(16).elementsEqual(id) else {
        throw AtRestError.damaged(
          "The wrapped key and the data belong to different envelopes.",
          remedy: "Combine the parts that were sealed together.")
      }
      return Data(try reader.fixed(reader.remaining))
    }
    return try SealingKey(key.derive(.envelopeData))
      .open(box, context: boxContext(head(id), context), name: "The envelope")
  }
}

extension Purpose {
  static let envelopeData = Purpose("atrest.envelope.data.v1")
  static let envelopeHeader = Purpose("atrest.envelope.header.v1")
  static let envelopeKeyWrap = Purpose("atrest.envelope.key-wrap.v1")
  static let envelopeRecipientWrap = Purpose("atrest.envelope.recipient-wrap.v1")
}
