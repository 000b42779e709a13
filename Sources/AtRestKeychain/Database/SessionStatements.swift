/// The statements of a connection, each prepared once.
final class SessionStatements {
  let connection: Connection
  private var known: [String: PreparedStatement] = [:]

  init(_ connection: Connection) { self.connection = connection }

  func statement(_ sql: String) throws -> PreparedStatement {
    if let statement = known[sql] { return statement }
    let statement = try PreparedStatement(connection, sql)
    known[sql] = statement
    return statement
  }
}
