@_spi(Tools) import AtRestCrypto
import AtRestTPM
import Foundation

/// The stored form of a secret record of a device: the same data, sealed by the TPM for one value of
/// the record's own counter, or for two while the counter is stepped.
///
/// The TPM itself refuses a former one, so whoever puts it back, with any code of any file forged, does
/// not learn what was in it.
struct SealedRecord {
  /// The data, sealed for one value of the counter.
  struct Seal {
    let value: UInt64
    let object: TPMObject
  }

  let counter: TPMCounter
  let seals: [Seal]

  var encoded: Data {
    var writer = ByteWriter(capacity: 1024)
    writer.integer(counter.index)
    writer.integer(UInt8(seals.count))
    for seal in seals {
      writer.integer(seal.value)
      writer.counted(seal.object.data)
    }
    return writer.data
  }

  init(_ counter: TPMCounter, _ seals: [Seal]) {
    self.counter = counter
    self.seals = seals
  }

  /// Decodes a record.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if it is malformed.
  init(_ data: Data, name: String) throws {
    self = try data.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's record \(name)")
      let counter = try TPMCounter(index: reader.integer())
      let seals = try (0..<min(reader.integer(UInt8.self), 2)).map { _ in
        Seal(
          value: try reader.integer(),
          object: try TPMObject(Data(try reader.counted(limit: TPMObject.sizeLimit))))
      }
      try reader.finish()
      return SealedRecord(counter, seals)
    }
  }
}
