/// An index of a database; it holds copies of values of its table.
package struct SQLiteIndex: Hashable, Sendable {
  package let name: String
  package let table: String
  package let rootPage: Int
}
