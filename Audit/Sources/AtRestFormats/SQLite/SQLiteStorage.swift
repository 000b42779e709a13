/// The files of a database, and the pages that they make up.
struct SQLiteStorage: Sendable {
  let main: ByteSource
  let wal: SQLiteWAL?
  let journal: SQLiteJournal?
  let header: SQLiteHeader
  let path: String
  /// The number of complete pages in the main file.
  let mainPageCount: Int

  var pageSize: Int { header.pageSize }
  var usable: Int { header.pageSize - header.reserved }

  init(
    _ main: ByteSource, wal: ByteSource?, journal: ByteSource?, path: String,
    skips: inout SQLiteSkips
  ) throws(FormatError) {
    let first = SQLiteHeader(try main.prefix(SQLiteHeader.size))
    let log: SQLiteWAL? =
      if let wal { try SQLiteWAL(wal, expected: first?.pageSize, skips: &skips) } else { nil }
    var header = first
    // The first page is newer in the log.
    if let log, let frame = log.newest[1] {
      let start = log.offset(ofFrame: Int(frame)) + SQLiteWAL.frameHeaderSize
      let newer = SQLiteHeader(try log.source.read(start..<start + SQLiteHeader.size))
      if let newer, newer.pageSize == log.pageSize { header = newer }
    }
    // A log without its database may lack the first page.
    if header == nil, main.count == 0, let log, log.committedCount > 0 {
      header = SQLiteHeader(pageSize: log.pageSize)
      skips.add("The first page of the database is missing, and with it the names of its tables.")
    }
    guard let header else {
      throw FormatError(
        main.count == 0 ? "The database is empty." : "This is not a SQLite database.", offset: 0)
    }
    self.main = main
    self.wal = log
    self.header = header
    self.path = path
    mainPageCount = main.count / header.pageSize
    self.journal =
      if let journal { try SQLiteJournal(journal, pageSize: header.pageSize) } else { nil }
    if main.count % header.pageSize != 0 {
      skips.add("The database ends within page \(mainPageCount + 1).")
    }
  }
}
