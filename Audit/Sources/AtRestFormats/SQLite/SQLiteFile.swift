/// A SQLite database read as evidence: its rows, and the remains of deleted and changed rows.
///
/// It reads the published file format (sqlite.org/fileformat2.html) itself, because SQLite would
/// write to the files, end an interrupted transaction, or ignore a write-ahead log. Nothing is
/// written. Each method makes its own pass over the files, and uses about a megabyte of memory,
/// plus up to 64 MiB for a row. Thread-safe.
package struct SQLiteFile: Sendable {
  /// The maximum number of tables and indices. Further ones are skipped.
  static let schemaLimit = 100_000

  package let tables: [SQLiteTable]
  package let indices: [SQLiteIndex]
  /// The parts of the header, the schema and the write-ahead log that could not be read.
  package let skipped: [Skip]
  let storage: SQLiteStorage

  /// The page size in bytes, from 512 to 65,536.
  package var pageSize: Int { storage.pageSize }
  package var encoding: SQLiteEncoding { storage.header.encoding }
  /// True if a transaction was interrupted that SQLite would roll back. The rows are then not
  /// committed, and the committed state of their pages is among the remnants.
  package var hasHotJournal: Bool { storage.main.count > 0 && storage.journal?.isHot == true }

  /// Reads the header and the schema.
  ///
  /// - Parameters:
  ///   - main: The database. It may be empty if the log has all of it.
  ///   - wal: The `-wal` file of the database.
  ///   - journal: The `-journal` file of the database.
  ///   - path: The file's name in skips.
  /// - Throws: ``FormatError`` if the source is not a SQLite database, as an encrypted one is not,
  ///   or if a file cannot be read.
  package init(
    _ main: ByteSource, wal: ByteSource? = nil, journal: ByteSource? = nil, path: String = ""
  ) throws(FormatError) {
    var skips = SQLiteSkips(path: path)
    storage = try SQLiteStorage(main, wal: wal, journal: journal, path: path, skips: &skips)
    let pass = SQLitePass(storage, skips: skips)
    (tables, indices) = pass.schema()
    skipped = pass.skips.all
  }

  /// Returns true if a file begins like a SQLite database.
  package static func isSQLite(_ prefix: some Sequence<UInt8>) -> Bool {
    prefix.starts(with: SQLiteHeader.magic)
  }

  /// Visits the rows of a table in the order of their keys, or of a `WITHOUT ROWID` table in the
  /// order of its pages.
  ///
  /// A virtual table has no rows of its own. They are in ordinary tables that are named after it.
  ///
  /// - Parameter visit: An error that it throws ends the pass.
  /// - Returns: The parts that could not be read. The rest is visited all the same.
  package func forEachRow<Failure: Error>(
    of table: SQLiteTable, _ visit: (SQLiteRow) throws(Failure) -> Void
  ) throws(Failure) -> [Skip] {
    let pass = SQLitePass(storage)
    try pass.forEachRow(of: table, visit)
    return pass.skips.all
  }

  /// Visits the rows of all tables. No page is visited twice, even if a damaged file references it
  /// several times.
  ///
  /// - Parameter visit: An error that it throws ends the pass.
  /// - Returns: The parts that could not be read. The rest is visited all the same.
  package func forEachRow<Failure: Error>(
    _ visit: (SQLiteTable, SQLiteRow) throws(Failure) -> Void
  ) throws(Failure) -> [Skip] {
    let pass = SQLitePass(storage)
    for table in tables {
      try pass.forEachRow(of: table) { row throws(Failure) in try visit(table, row) }
    }
    return pass.skips.all
  }

  /// The table with the given name, in upper or lower case.
  package func table(_ name: String) -> SQLiteTable? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }
}
