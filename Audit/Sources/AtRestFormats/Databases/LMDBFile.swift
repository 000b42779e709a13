/// Reads databases of LMDB (ObjectBox keeps its objects in one) and of MDBX (Isar).
///
/// A change copies each page that it concerns, and leaves the former one as it was until its place is needed. These free
/// pages are read too, as well as the free space in pages.
///
/// Source: LMDB's `mdb.c` (0.9) and MDBX's `mdbx-internals.h` (formats 2 and 3).
package enum LMDBFile {
  /// A key and its value.
  package struct Record: Sendable {
    /// The name of the table within the database, or nil if it is the database's own, or not known.
    package let table: [UInt8]?
    package let key: [UInt8]
    package let value: [UInt8]
    /// True if the key is the name of a table, whose records are given too.
    package let isTable: Bool
    /// True if the record is in a page that is free.
    package let isDeleted: Bool
    /// The number of the page, from 0.
    package let page: Int
    /// The offset of the record in the file, in bytes.
    package let offset: Int
  }

  /// Bytes in free space that are not a whole record.
  package struct Remnant: Sendable {
    package let bytes: [UInt8]
    package let page: Int
    package let offset: Int
  }

  /// The size in bytes of the beginning of a file in which a database may begin.
  private static let searchSize = 128 << 10

  /// Returns true if the file contains a database, at its beginning or a little behind it.
  package static func isDatabase(_ source: ByteSource) -> Bool { layout(of: source) != nil }

  /// Reads the records of all tables, and then what is left in free pages.
  ///
  /// A record that is free but also live, or free several times, is given once.
  ///
  /// - Parameters:
  ///   - record: Is called with each record. An error that it throws ends the reading.
  ///   - remnant: Is called with what else is left. An error that it throws ends the reading.
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if this is not a database, or it cannot be read.
  package static func read(
    _ source: ByteSource, path: String, record: (Record) throws(FormatError) -> Void,
    remnant: (Remnant) throws(FormatError) -> Void
  ) throws(FormatError) -> [Skip] {
    guard let layout = layout(of: source) else {
      throw FormatError("This is not a database of LMDB.", offset: 0)
    }
    return try withoutActuallyEscaping(record) { record throws(FormatError) in
      try withoutActuallyEscaping(remnant) { remnant throws(FormatError) in
        var pass = LMDBPass(source, layout, path: path, record: record, remnant: remnant)
        try pass.run()
        return pass.skipped
      }
    }
  }

  // MARK: Meta pages

  private static let magic: [UInt8] = [0xDE, 0xC0, 0xEF, 0xBE]
  private static let magicMDBX: [UInt8] = [0x11, 0x4C, 0xEF, 0xBD, 0x9D, 0x65, 0x59]

  /// The roots of the trees after a transaction.
  struct Meta {
    let transaction: UInt64
    /// The tree of free pages, and that of the tables.
    let free: Int
    let main: Int
  }

  /// Finds the first page with roots, whose number says where page 0 is.
  private static func layout(of source: ByteSource) -> LMDBLayout? {
    guard let head = try? source.prefix(searchSize) else { return nil }
    var start = 0
    let first = [magic[0], magicMDBX[0]]
    while let index = head[start...].firstIndex(where: { $0 == first[0] || $0 == first[1] }) {
      if let layout = layout(head, magicAt: index) { return layout }
      start = index + 1
    }
    return nil
  }

  private static func layout(_ head: [UInt8], magicAt index: Int) -> LMDBLayout? {
    let isMDBX = head[index] == magicMDBX[0]
    let expected = isMDBX ? magicMDBX : magic
    // In MDBX, a byte with the version precedes.
    let start = isMDBX ? index - 21 : index - 16
    guard start >= 0, head[index...].starts(with: expected),
      head.littleEndian(at: start + 10, size: 2).map({ $0 & 0x2F == 8 }) == true,
      let size = head.littleEndian(at: isMDBX ? start + 64 : start + 40, size: 4),
      LMDBLayout.pageSizes.contains(size),
      let number = head.littleEndian(at: isMDBX ? start + 16 : start, size: 4),
      number < (isMDBX ? 3 : 2)
    else { return nil }
    return LMDBLayout(isMDBX: isMDBX, pageSize: size, base: start - number * size)
  }

  /// Reads a page of roots, or returns nil if it is damaged or was not written to its end.
  static func meta(_ page: [UInt8], _ layout: LMDBLayout) -> Meta? {
    if layout.isMDBX {
      guard page.count >= 204, page[21..<28].elementsEqual(magicMDBX),
        let first = page.littleEndian64(at: 28), first == page.littleEndian64(at: 196),
        let free = page.littleEndian(at: 68, size: 4),
        let main = page.littleEndian(at: 116, size: 4)
      else { return nil }
      return Meta(transaction: first, free: free, main: main)
    }
    guard page.count >= 152, page[16..<20].elementsEqual(magic),
      let transaction = page.littleEndian64(at: 144),
      let free = page.littleEndian(at: 80, size: 6), let main = page.littleEndian(at: 128, size: 6)
    else { return nil }
    return Meta(transaction: transaction, free: free, main: main)
  }

  /// The root of a table's tree.
  static func root(_ table: ArraySlice<UInt8>, _ layout: LMDBLayout) -> Int? {
    guard table.count == 48 else { return nil }
    return Array(table).littleEndian(at: layout.isMDBX ? 8 : 40, size: layout.isMDBX ? 4 : 6)
  }
}
