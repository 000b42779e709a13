@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// Writes the journal of a change to a class-none file, as `docs/Formats.md` specifies it, for an
/// attacker who has the file's key.
struct JournalForger {
  private let before: StoredBytes
  private let key: SecretBox

  init(before: StoredBytes, _ folder: TestFolder) throws {
    self.before = before
    key = SecretBox(try before.fileKey(folder.keybag))
  }

  /// Returns the journal that changes `before` into `after`, without and with its end record.
  func journals(after: StoredBytes) -> (uncommitted: Data, committed: Data) {
    var writes = after.chunks.map { ($0.lowerBound, Data(after.bytes[$0])) }
    writes.append((after.tableStart, Data(after.bytes[after.tableStart...])))
    writes.append((0, Data(after.bytes[..<after.headerCount])))
    return journals(writes, finalSize: UInt64(after.bytes.count))
  }

  func journals(
    _ writes: [(offset: Int, bytes: Data)], finalSize: UInt64
  ) -> (uncommitted: Data, committed: Data) {
    let secret = key.bytes.derive(Purpose("atrest.file.journal.v1"))
    var writer = ByteWriter()
    writer.fixed(Array("AtRestFJ".utf8))
    writer.integer(UInt16(1))
    writer.counted(before.bytes[..<before.headerCount])
    writer.integer(UInt64(before.bytes.count))
    writer.fixed(secret.authenticationCode(for: writer.data))
    for (offset, bytes) in writes {
      writer.integer(UInt8(1))
      writer.integer(UInt64(bitPattern: Int64(offset)))
      writer.integer(UInt32(bytes.count))
      writer.fixed(bytes)
    }
    let uncommitted = writer.data
    writer.integer(UInt8(2))
    writer.integer(finalSize)
    writer.fixed(secret.authenticationCode(for: writer.data))
    return (uncommitted, writer.data)
  }
}
