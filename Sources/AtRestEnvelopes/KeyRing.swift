@_spi(Tools) import AtRestCrypto
import Foundation

/// The key-encryption keys under one name, in the form in which the keychain item stores them: the
/// version, then the identifier and the key of each.
struct KeyRing {
  struct Entry {
    let id: Data
    let key: SecretBox
  }

  /// The entries; the last is current.
  private(set) var entries: [Entry] = []

  static let maximumEntries = 1024
  private static let version: UInt16 = 1
  private static let entryCount = EnvelopeSlot.keyIDCount + 32

  init() {}

  /// The current entry. Do not use it before a ring was read or a key was added.
  var current: Entry { entries[entries.count - 1] }

  subscript(id: Data) -> SecretBox? { entries.first { $0.id == id }?.key }

  func adding() -> KeyRing {
    var ring = self
    var id = RandomBytes.data(count: EnvelopeSlot.keyIDCount)
    while ring[id] != nil { id = RandomBytes.data(count: EnvelopeSlot.keyIDCount) }
    ring.entries.append(Entry(id: id, key: SecretBox(.random(count: 32))))
    return ring
  }

  func removing(where isRemoved: (Data) -> Bool) -> KeyRing {
    var ring = self
    ring.entries.removeAll { isRemoved($0.id) }
    return ring
  }

  var encoded: SecretBytes {
    SecretBytes(count: 2 + entries.count * Self.entryCount) { bytes in
      bytes.storeBytes(of: Self.version.bigEndian, as: UInt16.self)
      for (index, entry) in entries.enumerated() {
        let start = 2 + index * Self.entryCount
        let place = UnsafeMutableRawBufferPointer(
          rebasing: bytes[start..<start + Self.entryCount])
        place.copyBytes(from: entry.id)
        entry.key.bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: place[EnvelopeSlot.keyIDCount...])
            .copyMemory(from: $0)
        }
      }
    }
  }

  init(decoding secret: borrowing SecretBytes) throws {
    entries = try secret.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The item of the key-encryption keys")
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError.unsupported(
          "The item of the key-encryption keys", version: version, known: Self.version)
      }
      guard reader.remaining > 0, reader.remaining / Self.entryCount <= Self.maximumEntries else {
        throw AtRestError.damaged(
          "The item of the key-encryption keys has an invalid number of keys.")
      }
      var entries: [Entry] = []
      while reader.remaining > 0 {
        let id = Data(try reader.fixed(EnvelopeSlot.keyIDCount))
        let key = SecretBox(SecretBytes(copying: try reader.fixed(32)))
        entries.append(Entry(id: id, key: key))
      }
      return entries
    }
  }
}
