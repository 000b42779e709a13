/// A table of a database, as its statement `CREATE TABLE` has it.
package struct SQLiteTable: Hashable, Sendable {
  package let name: String
  /// Empty if the statement could not be read; the rows can be read all the same.
  package let columns: [Column]
  package let isWithoutRowID: Bool
  /// Which column is another name of the row's key (`INTEGER PRIMARY KEY`).
  package let rowIDColumn: Int?
  /// None of a virtual table, whose rows lie in tables of their own.
  package let rootPage: Int?
  /// The column of each value in a record.
  let storedColumns: [Int]
  /// Columns of real numbers; whole ones are stored as integers.
  let realColumns: [Int]

  package struct Column: Hashable, Sendable {
    package let name: String
    /// As declared; often empty.
    package let type: String

    /// By SQLite's rules, in which the first of these that the type contains decides.
    var isReal: Bool {
      let type = type.uppercased()
      guard !["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains) else {
        return false
      }
      return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
    }
  }
}
