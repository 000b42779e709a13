/// A row of a table.
package struct SQLiteRow: Sendable {
  /// None in a table `WITHOUT ROWID`.
  package let rowID: Int64?
  /// In the order of the table's columns, the key of the row in its place.
  ///
  /// A column added after the row was written is null here, whatever its default, and so is one
  /// that is computed. More values than columns means that the columns could not be read.
  package let values: [SQLiteValue]
}
