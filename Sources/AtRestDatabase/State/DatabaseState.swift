import AtRestCrypto
import Foundation

/// The authenticated state of a database in AtRest's format.
struct DatabaseState: Equatable {
  /// Raised by each change.
  var sequence: UInt64 = 1
  /// The epoch under whose key pages are sealed, and about how many were.
  var epoch: UInt32 = 0
  var sealedCount: UInt64 = 0
  /// True from before the first page of a checkpoint is written until all are durable.
  var isCheckpointing = false
  /// The pages that the hash covers: 1 to this number. During a checkpoint, the pages of the log are
  /// left out.
  var pageCount: UInt32
  var hash: PageSetHash
  /// The log that the last checkpoint copied: its salts, the number of frames and the code of the last.
  var salts = Data(count: 8)
  var frameCount: UInt32 = 0
  var code = Data(count: 16)

  /// The number of pages that are sealed under one key. Random nonces permit 2^32.
  private static let sealedLimit: UInt64 = 1 << 31

  init(pageCount: UInt32, hash: PageSetHash) {
    self.pageCount = pageCount
    self.hash = hash
  }

  /// Reads what ``data`` writes.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not a state.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The state of the database")
    sequence = try reader.integer()
    epoch = try reader.integer()
    sealedCount = try reader.integer()
    isCheckpointing = try reader.integer(UInt8.self) != 0
    pageCount = try reader.integer()
    hash = PageSetHash(try reader.fixed(PageSetHash.size))
    salts = Data(try reader.fixed(8))
    frameCount = try reader.integer()
    code = Data(try reader.fixed(16))
    try reader.finish()
  }

  var data: Data {
    var writer = ByteWriter()
    writer.integer(sequence)
    writer.integer(epoch)
    writer.integer(sealedCount)
    writer.integer(UInt8(isCheckpointing ? 1 : 0))
    writer.integer(pageCount)
    writer.fixed(hash.data)
    writer.fixed(salts)
    writer.integer(frameCount)
    writer.fixed(code)
    return writer.data
  }

  /// Counts pages that were sealed, and begins an epoch when there were enough.
  mutating func count(sealed pages: Int) {
    sealedCount += UInt64(pages)
    guard sealedCount >= Self.sealedLimit else { return }
    epoch += 1
    sealedCount = 0
  }
}
