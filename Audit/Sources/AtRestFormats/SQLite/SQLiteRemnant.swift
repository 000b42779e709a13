/// Bytes of a database that belong to no row any more, but are still there.
package struct SQLiteRemnant: Sendable {
  package let origin: Origin
  package let file: File
  /// The page, from 1; zero where none can be told.
  package let page: Int
  /// Bytes from the start of ``file``.
  package let offset: Int
  /// As they are, texts in the encoding of the database; never all zero. What is kept of them holds
  /// up to 64 KiB around it.
  package let bytes: ArraySlice<UInt8>
  /// What of the bytes still reads as rows of a known table.
  package let records: [Record]

  package enum File: String, Sendable {
    case database
    case writeAheadLog = "write-ahead log"
    case journal = "rollback journal"
  }

  package enum Origin: String, Sendable {
    /// In a page that is in use, space that no row uses.
    case freeSpace = "free space of a page"
    /// In the last page of a long value, the space behind it.
    case slack = "space behind a long value"
    case freePage = "free page"
    /// A page that neither a table nor the list of free pages names.
    case lostPage = "page that nothing names"
    /// A page as it was before a later transaction.
    case olderState = "older state of a page"
    /// A page of a transaction that never came to its end.
    case uncommitted = "transaction that was not committed"
  }

  package struct Record: Sendable {
    /// Bytes from the start of the file.
    package let offset: Int
    /// None where it was overwritten.
    package let rowID: Int64?
    /// The tables whose rows look like it.
    package let tables: [String]
    /// In the order of the columns; those that lie on other pages are cut or missing.
    package let values: [SQLiteValue]
  }
}
