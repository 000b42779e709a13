/// A table of a database, according to its `CREATE TABLE` statement.
package struct SQLiteTable: Hashable, Sendable {
  package let name: String
  /// The columns. Empty if the statement could not be read; the rows can still be read.
  package let columns: [Column]
  package let isWithoutRowID: Bool
  /// The index of the column that is an alias of the row's key (`INTEGER PRIMARY KEY`).
  package let rowIDColumn: Int?
  /// The first page of the table. A virtual table has none, because its rows are in other tables.
  package let rootPage: Int?
  /// The column of each value in a record.
  let storedColumns: [Int]
  /// The indices of the columns of real numbers, in which whole numbers are stored as integers.
  let realColumns: [Int]
  /// True if this is a full-text table that keeps only the words of its texts.
  package var isContentless = false

  package struct Column: Hashable, Sendable {
    package let name: String
    /// The declared type, which is often empty.
    package let type: String

    /// True if the column holds real numbers. By SQLite's rules, the first of these words that the
    /// type contains decides.
    var isReal: Bool {
      let type = type.uppercased()
      guard !["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) else {
        return false
      }
      return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
    }
  }
}
