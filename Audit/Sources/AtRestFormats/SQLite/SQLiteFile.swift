/// A SQLite database as evidence: what its rows hold, and what rows left behind.
///
/// Reads the published file format (sqlite.org/fileformat2.html) by itself, for SQLite would write
/// to the files, end a cut-off transaction, or pass over a write-ahead log. Nothing is written. Each
/// method makes a pass of its own over the files and holds about a megabyte, with a row of up to
/// 64 MiB. Thread-safe.
package struct SQLiteFile: Sendable {
  /// More tables and indices are left out.
  static let schemaLimit = 100_000

  package let tables: [SQLiteTable]
  package let indices: [SQLiteIndex]
  /// What of the header, the schema and the write-ahead log could not be read.
  package let skipped: [Skip]
  let storage: SQLiteStorage

  /// Bytes, from 512 to 65,536.
  package var pageSize: Int { storage.pageSize }
  package var encoding: SQLiteEncoding { storage.header.encoding }
  /// Whether a transaction was cut off that SQLite would take back: what the rows hold is not
  /// committed then, and the committed state of its pages is among the remnants.
  package var hasHotJournal: Bool { storage.main.count > 0 && storage.journal?.isHot == true }

  /// Reads the header and the schema.
  ///
  /// - Parameters:
  ///   - main: The database; it may be empty if the log has it all.
  ///   - wal: The file `-wal` beside it.
  ///   - journal: The file `-journal` beside it.
  ///   - path: What ``Skip``s are to name.
  /// - Throws: ``FormatError`` if this is no SQLite database, which an encrypted one is not either,
  ///   or a file cannot be read.
  package init(
    _ main: ByteSource, wal: ByteSource? = nil, journal: ByteSource? = nil, path: String = ""
  ) throws(FormatError) {
    var skips = SQLiteSkips(path: path)
    storage = try SQLiteStorage(main, wal: wal, journal: journal, path: path, skips: &skips)
    let pass = SQLitePass(storage, skips: skips)
    (tables, indices) = pass.schema()
    skipped = pass.skips.all
  }

  /// Whether a file begins as SQLite databases do.
  package static func isSQLite(_ prefix: some Sequence<UInt8>) -> Bool {
    prefix.starts(with: SQLiteHeader.magic)
  }

  /// Visits the rows of a table in the order of their keys; those of a table `WITHOUT ROWID` come
  /// in the order of its pages.
  ///
  /// A virtual table has none: its rows lie in ordinary tables, named after it.
  ///
  /// - Parameter visit: An error of it ends the pass.
  /// - Returns: What could not be read; the rest was visited all the same.
  package func forEachRow<Failure: Error>(
    of table: SQLiteTable, _ visit: (SQLiteRow) throws(Failure) -> Void
  ) throws(Failure) -> [Skip] {
    let pass = SQLitePass(storage)
    try pass.forEachRow(of: table, visit)
    return pass.skips.all
  }

  /// Visits the rows of all tables, and no page twice, even if a damaged file names it for many.
  ///
  /// - Parameter visit: An error of it ends the pass.
  /// - Returns: What could not be read; the rest was visited all the same.
  package func forEachRow<Failure: Error>(
    _ visit: (SQLiteTable, SQLiteRow) throws(Failure) -> Void
  ) throws(Failure) -> [Skip] {
    let pass = SQLitePass(storage)
    for table in tables {
      try pass.forEachRow(of: table) { row throws(Failure) in try visit(table, row) }
    }
    return pass.skips.all
  }

  /// A table by its name, in any case of its letters.
  package func table(_ name: String) -> SQLiteTable? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }
}
