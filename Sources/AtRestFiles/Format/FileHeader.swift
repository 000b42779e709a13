@_spi(Tools) import AtRestCrypto
import Foundation

/// The header of a protected file: everything that can be read without a key. See
/// `docs/Formats.md`.
struct FileHeader: Sendable, Equatable {
  static let magic = Array("AtRestPF".utf8)
  static let version: UInt16 = 1
  static let cipherAESGCM: UInt8 = 1
  /// The number of bytes before the key slots. These bytes include the length of the header.
  static let fixedCount = 64
  static let macCount = 32
  static let maximumCount = 16_384
  static let chunkSizes: ClosedRange<Int> = 1_024...1_048_576
  /// Including its tag, a chunk has 48 KiB. The allocator keeps the memory of two such chunks for
  /// reuse. Above 128 KiB, it returns the memory to the system each time, which costs as much as
  /// the cipher.
  static let defaultChunkSize = 49_136

  /// The number of bytes before the first chunk, a multiple of 256.
  private(set) var count: Int
  let chunkSize: Int
  /// The random identity of the file. The key for the chunks of a new file is derived with it as
  /// the salt.
  let identity: Data
  /// The number of times that the contents were changed in place.
  var generation: UInt64 = 0
  /// The size of the sealed version table after the last chunk, or 0 if no table exists.
  var tableCount = 0
  private(set) var slots: [KeySlot]

  static let generationOffset = 35

  init(slots: [KeySlot], chunkSize: Int, identity: Data) {
    self.chunkSize = chunkSize
    self.identity = identity
    self.slots = slots
    count = Self.count(for: slots)
  }

  /// Returns the header with the given key slots, or nil if they do not fit into its size.
  func replacing(slots: [KeySlot]) -> FileHeader? {
    guard Self.count(for: slots) <= count else { return nil }
    var header = self
    header.slots = slots
    return header
  }

  /// Returns the header with the given key slots, in the size that they need.
  func enlarged(slots: [KeySlot]) -> FileHeader {
    var header = self
    header.slots = slots
    header.count = Self.count(for: slots)
    return header
  }

  private static func count(for slots: [KeySlot]) -> Int {
    let needed = fixedCount + slots.reduce(0) { $0 + 2 + $1.encoded.count } + macCount
    return (needed + 255) / 256 * 256
  }

  /// The maximum number of passphrase slots of a file.
  static let maximumPassphrases = 1
  /// The largest number of key slots that fit into a header.
  static var maximumSlots: Int {
    (maximumCount - fixedCount - macCount) / (2 + KeySlot.maximumCount)
  }

  func encoded(fileKey: borrowing SecretBytes) -> Data {
    var writer = ByteWriter(capacity: count)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.integer(Self.cipherAESGCM)
    writer.integer(UInt32(count))
    writer.integer(UInt32(chunkSize))
    writer.fixed(identity)
    writer.integer(generation)
    writer.integer(UInt64(tableCount))
    writer.integer(UInt8(slots.count))
    writer.fixed([UInt8](repeating: 0, count: Self.fixedCount - writer.bytes.count))
    for slot in slots {
      let encoded = slot.encoded
      writer.integer(UInt16(encoded.count))
      writer.fixed(encoded)
    }
    writer.fixed([UInt8](repeating: 0, count: count - Self.macCount - writer.bytes.count))
    writer.fixed(fileKey.derive(.fileHeader).authenticationCode(for: writer.data))
    return writer.data
  }

  /// Returns the number of bytes in a header, given its first ``fixedCount``.
  ///
  /// - Throws: `AtRestError.Code.notProtected`, ``AtRestError/Code/unsupportedVersion``,
  ///   ``AtRestError/Code/damaged``.
  static func count(in bytes: UnsafeRawBufferPointer, name: String) throws -> Int {
    guard bytes.count >= 8, bytes.prefix(8).elementsEqual(magic) else {
      throw AtRestError(
        .notProtected, "\(name) is not a protected file.",
        remedy: "Check the path. A backup opens with atrest restore.")
    }
    var reader = ByteReader(bytes, name: "The header of \(name)")
    _ = try reader.fixed(8)
    let version = try reader.integer(UInt16.self)
    let cipher = try reader.integer(UInt8.self)
    guard version == Self.version, cipher == cipherAESGCM else {
      throw AtRestError(
        .unsupportedVersion,
        "\(name) has version \(version) and cipher \(cipher); this version of AtRest reads version "
          + "\(Self.version) with cipher \(cipherAESGCM).",
        remedy: "Use a later version of AtRest.")
    }
    let count = Int(try reader.integer(UInt32.self))
    guard count >= 256, count <= maximumCount, count % 256 == 0 else {
      throw AtRestError.damaged("\(name) claims a header of \(count) bytes.")
    }
    return count
  }

  /// Decodes a header without authenticating it. ``isAuthentic(_:fileKey:)`` authenticates it.
  init(decoding bytes: UnsafeRawBufferPointer, name: String) throws {
    count = try Self.count(in: bytes, name: name)
    guard bytes.count >= count else {
      throw AtRestError.damaged("\(name) ends at offset \(bytes.count), in its header.")
    }
    let body = UnsafeRawBufferPointer(rebasing: bytes[0..<count - Self.macCount])
    var reader = ByteReader(body, name: "The header of \(name)")
    _ = try reader.fixed(15)
    chunkSize = Int(try reader.integer(UInt32.self))
    guard Self.chunkSizes.contains(chunkSize) else {
      throw AtRestError.damaged("\(name) claims chunks of \(chunkSize) bytes.")
    }
    identity = Data(try reader.fixed(16))
    generation = try reader.integer()
    let tableCount = try reader.integer(UInt64.self)
    guard tableCount <= UInt64(VersionTable.maximumCount) else {
      throw AtRestError.damaged("\(name) claims a version table of \(tableCount) bytes.")
    }
    self.tableCount = Int(tableCount)
    let slotCount = Int(try reader.integer(UInt8.self))
    try Self.skipZeros(Self.fixedCount - reader.offset, &reader, name)
    guard (1...Self.maximumSlots).contains(slotCount) else {
      throw AtRestError.damaged("\(name) claims \(slotCount) key slots.")
    }
    slots = []
    for _ in 0..<slotCount {
      let count = Int(try reader.integer(UInt16.self))
      guard count <= KeySlot.maximumCount else {
        throw AtRestError.damaged("\(name) has a key slot of \(count) bytes.")
      }
      slots.append(try KeySlot(decoding: reader.fixed(count), name: name))
    }
    // Each passphrase slot costs a key derivation, so a hostile header must not contain many.
    guard slots.filter(\.isPassphrase).count <= Self.maximumPassphrases else {
      throw AtRestError.damaged("\(name) has several passphrase slots.")
    }
    try Self.skipZeros(reader.remaining, &reader, name)
  }

  private static func skipZeros(_ count: Int, _ reader: inout ByteReader, _ name: String) throws {
    let offset = reader.offset
    guard try reader.fixed(count).allSatisfy({ $0 == 0 }) else {
      throw AtRestError.damaged("\(name) has bytes that are not zero after offset \(offset).")
    }
  }

  /// Returns true if the header's bytes were written with the file's key.
  static func isAuthentic(
    _ bytes: UnsafeRawBufferPointer, fileKey: borrowing SecretBytes
  ) -> Bool {
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(macCount))
    return fileKey.derive(.fileHeader).isValid(
      authenticationCode: Data(bytes.suffix(macCount)), for: body)
  }
}

extension Purpose {
  static let fileHeader = Purpose("atrest.file.header.v1")
  static let fileChunks = Purpose("atrest.file.chunks.v1")
  static let fileTable = Purpose("atrest.file.table.v1")
  static let fileJournal = Purpose("atrest.file.journal.v1")
  static let filePassphraseWrap = Purpose("atrest.file.passphrase-wrap.v1")
  static let fileRecipientWrap = Purpose("atrest.file.recipient-wrap.v1")
}
