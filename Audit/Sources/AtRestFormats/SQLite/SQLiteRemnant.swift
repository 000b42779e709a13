/// Bytes of a database that belong to no row any more, but are still there.
public struct SQLiteRemnant: Sendable {
  public let origin: Origin
  public let file: File
  /// The page, from 1; zero where none can be told.
  public let page: Int
  /// Bytes from the start of ``file``.
  public let offset: Int
  /// As they are, texts in the encoding of the database; never all zero. What is kept of them holds
  /// up to 64 KiB around it.
  public let bytes: ArraySlice<UInt8>
  /// What of the bytes still reads as rows of a known table.
  public let records: [Record]

  public enum File: String, Sendable {
    case database
    case writeAheadLog = "write-ahead log"
    case journal = "rollback journal"
  }

  public enum Origin: String, Sendable {
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

  public struct Record: Sendable {
    /// Bytes from the start of the file.
    public let offset: Int
    /// None where it was overwritten.
    public let rowID: Int64?
    /// The tables whose rows look like it.
    public let tables: [String]
    /// In the order of the columns; those that lie on other pages are cut or missing.
    public let values: [SQLiteValue]
  }
}
