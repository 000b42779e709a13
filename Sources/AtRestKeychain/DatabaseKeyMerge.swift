@_spi(Tools) import AtRestCrypto
import Foundation

/// Joining the keys of databases that an item and the same item of a backup have: each is the only copy of
/// the key of some database. The layout is in `docs/Formats.md`.
enum DatabaseKeyMerge {
  private static let magic = Data("AtRestDK".utf8)
  private static let version: UInt16 = 1
  private static let greatestCount = 1_000

  private struct Record {
    let salt: Data
    let bytes: UnsafeRawBufferPointer
  }

  /// Returns the present records followed by those of the backup that are missing among them; nil if the
  /// present secret has no keys of databases.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the present secret has keys of databases and the other has
  ///   none; ``AtRestError/Code/invalidArgument`` if there would be too many.
  static func merged(
    _ present: borrowing SecretBytes, adding other: borrowing SecretBytes, name: String
  ) throws -> SecretBox? {
    try present.withUnsafeBytes { present in
      guard let mine = try records(in: present), !mine.isEmpty else { return nil }
      return try other.withUnsafeBytes { other in
        guard let theirs = try records(in: other) else {
          throw AtRestError(
            .duplicate,
            "\(name) has the keys of \(mine.count) databases, and the item in the backup has none.",
            remedy: "Keep the present item, or delete it first.")
        }
        let salts = Set(mine.map(\.salt))
        let added = theirs.filter { !salts.contains($0.salt) }
        guard added.isEmpty || mine.count + added.count <= greatestCount else {
          throw AtRestError.invalid(
            "\(name) would have the keys of more than \(greatestCount) databases.",
            remedy:
              "Remove the keys of databases that no longer exist: atrest database keys --remove.")
        }
        // The buffer is large enough never to be reallocated, so erasing it erases the only copy.
        var writer = ByteWriter(capacity: present.count + other.count)
        defer { writer.erase() }
        writer.fixed(magic)
        writer.integer(version)
        writer.integer(UInt16(mine.count + added.count))
        for record in mine + added { writer.fixed(record.bytes) }
        return SecretBox(SecretBytes(writer.bytes))
      }
    }
  }

  /// Returns the records of a secret, or nil if it has no keys of databases.
  private static func records(in bytes: UnsafeRawBufferPointer) throws -> [Record]? {
    guard bytes.count >= 12, bytes.prefix(8).elementsEqual(magic) else { return nil }
    var reader = ByteReader(bytes, name: "An item with keys of databases")
    _ = try reader.fixed(magic.count)
    let found = try reader.integer(UInt16.self)
    guard found == version else {
      throw AtRestError.unsupported(
        "An item with keys of databases", version: found, known: version)
    }
    var records: [Record] = []
    for _ in 0..<(try reader.integer(UInt16.self)) {
      let start = reader.offset
      let salt = Data(try reader.fixed(16))
      // The salt of the predecessor, the place, and the key.
      _ = try reader.fixed(16 + 16 + 32)
      _ = try reader.counted(limit: 4_096)
      records.append(
        Record(salt: salt, bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<reader.offset])))
    }
    try reader.finish()
    return records
  }
}
