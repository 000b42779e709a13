/// An error with a result code of SQLite.
struct SQLiteError: Error {
  let code: Int32

  /// The primary result code.
  var primaryCode: Int32 { code & 0xff }
}
