/// A table of a database, as its statement `CREATE TABLE` has it.
public struct SQLiteTable: Hashable, Sendable {
  public let name: String
  /// Empty if the statement could not be read; the rows can be read all the same.
  public let columns: [Column]
  public let isWithoutRowID: Bool
  /// Which column is another name of the row's key (`INTEGER PRIMARY KEY`).
  public let rowIDColumn: Int?
  /// None of a virtual table, whose rows lie in tables of their own.
  public let rootPage: Int?
  /// The column of each value in a record.
  let storedColumns: [Int]

  public struct Column: Hashable, Sendable {
    public let name: String
    /// As declared; often empty.
    public let type: String
  }
}
