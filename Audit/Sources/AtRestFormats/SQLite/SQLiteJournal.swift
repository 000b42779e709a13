/// A rollback journal, which holds pages as they were before the last transaction.
struct SQLiteJournal: Sendable {
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  let source: ByteSource
  /// True if a transaction was interrupted, which SQLite would roll back when it opens the
  /// database.
  let isHot: Bool
  /// The parts that consist of records: a page number, a page and a checksum each.
  let sections: [Section]
  /// The offset from which no records can be recognised.
  let rest: Int
  let pageSize: Int

  struct Section: Sendable {
    let start: Int
    let count: Int
  }

  /// Reads a journal. A journal whose header was zeroed to end its transaction still has its pages.
  init?(_ source: ByteSource, pageSize: Int) throws(FormatError) {
    guard source.count > 28 else { return nil }
    self.source = source
    self.pageSize = pageSize
    var sections: [Section] = []
    var isHot = false
    var offset = 0
    while source.count - offset > 28 {
      let header = try source.read(offset..<offset + 28)
      let isHeader = header.starts(with: Self.magic)
      guard isHeader || (offset == 0 && header.allSatisfy { $0 == 0 }) else { break }
      isHot = isHot || isHeader
      let written = header.bigEndian32(at: 20)
      let sector = (32...65_536).contains(written) && written & (written - 1) == 0 ? written : 512
      let size = header.bigEndian32(at: 24)
      guard !isHeader || size == pageSize || size == 0 else { break }
      let start = offset + sector
      let room = max(0, source.count - start) / (pageSize + 8)
      let claimed = header.bigEndian32(at: 8)
      // Zero or all ones: the header was not updated after the records were written.
      let count = claimed == 0 || claimed == 0xFFFF_FFFF ? room : min(claimed, room)
      if count > 0 { sections.append(Section(start: start, count: count)) }
      let end = start + count * (pageSize + 8)
      offset = (end + sector - 1) / sector * sector
    }
    self.sections = sections
    self.isHot = isHot
    rest = sections.last.map { $0.start + $0.count * (pageSize + 8) } ?? 0
  }
}
