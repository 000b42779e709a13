/// An error with an SQLite result code.
struct SQLiteError: Error {
  let code: Int32

  /// The primary result code.
  var primaryCode: Int32 { code & 0xff }
}
