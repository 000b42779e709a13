/// A row of a table.
package struct SQLiteRow: Sendable {
  /// The key of the row, or nil in a `WITHOUT ROWID` table.
  package let rowID: Int64?
  /// The values in the order of the table's columns, including the row's key.
  ///
  /// A column that was added after the row was written is null here, whatever its default. A
  /// computed column is null too. If there are more values than columns, the columns could not be
  /// read.
  package let values: [SQLiteValue]
}
