/// An index of a database. It holds copies of its table's values.
package struct SQLiteIndex: Hashable, Sendable {
  package let name: String
  package let table: String
  package let rootPage: Int
}
