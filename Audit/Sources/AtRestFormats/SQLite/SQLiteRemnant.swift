/// Bytes of a database that no longer belong to a row, but still exist.
package struct SQLiteRemnant: Sendable {
  package let origin: Origin
  package let file: File
  /// The number of the page, from 1, or zero if it is unknown.
  package let page: Int
  /// The offset in ``file``, in bytes.
  package let offset: Int
  /// The bytes, with strings in the encoding of the database. They are never all zero. Keeping them
  /// keeps up to 64 KiB around them.
  package let bytes: ArraySlice<UInt8>
  /// The rows of known tables that can still be read in the bytes.
  package let records: [Record]

  package enum File: String, Sendable {
    case database
    case writeAheadLog = "write-ahead log"
    case journal = "rollback journal"
  }

  package enum Origin: String, Sendable {
    /// Unused space in a page that is in use.
    case freeSpace = "free space of a page"
    /// The space after a long value, in its last page.
    case slack = "space after a long value"
    case freePage = "free page"
    /// A page that is referenced neither by a table nor by the list of free pages.
    case lostPage = "unreferenced page"
    /// The state of a page before a later transaction.
    case olderState = "older state of a page"
    /// A page of a transaction that was never completed.
    case uncommitted = "uncommitted transaction"
  }

  package struct Record: Sendable {
    /// The offset in the file, in bytes.
    package let offset: Int
    /// The key of the row, or nil if it was overwritten.
    package let rowID: Int64?
    /// The names of the tables whose rows have this form.
    package let tables: [String]
    /// The values in the order of the columns. Values on other pages are cut or missing.
    package let values: [SQLiteValue]
  }
}
