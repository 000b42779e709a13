/// An index of a database; it holds copies of values of its table.
public struct SQLiteIndex: Hashable, Sendable {
  public let name: String
  public let table: String
  public let rootPage: Int
}
