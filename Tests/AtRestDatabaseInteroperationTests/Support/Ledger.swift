import Testing

/// A table whose transactions can be recognised: each one sets all rows of `ledger` to its number,
/// and adds one row to `entry`. A torn transaction leaves different numbers.
enum Ledger {
  static let rows = 400

  static let creation = [
    "CREATE TABLE ledger (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, text TEXT NOT NULL)",
    "CREATE TABLE entry (number INTEGER PRIMARY KEY, text TEXT NOT NULL)",
    """
    WITH RECURSIVE counter(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM counter WHERE id < \(rows))
    INSERT INTO ledger SELECT id, 0, printf('%0200d', id) FROM counter
    """,
  ]

  /// The statements of a transaction. `{n}` stands for its number.
  ///
  /// The cache is so small that SQLite writes pages before the transaction ends.
  static let transaction = [
    "BEGIN IMMEDIATE",
    "UPDATE ledger SET number = {n}, text = printf('%0200d', id + {n})",
    "INSERT INTO entry VALUES ({n}, printf('%0100d', {n}))",
    "COMMIT",
  ]

  static let smallCache = "PRAGMA cache_size = 10"

  /// Checks that all transactions are whole, and returns the number of the last one.
  static func checkedNumber(_ program: DatabaseProgram) throws -> Int {
    #expect(try program.value("PRAGMA integrity_check") == "ok")
    if program.implementation == .sqlcipher {
      // It returns a row for each page that is not authentic.
      let rows = try program.run("PRAGMA cipher_integrity_check")
      #expect(rows.isEmpty || rows == [["HMAC is not enabled, unable to integrity check"]])
    }
    let numbers = try program.run("SELECT DISTINCT number FROM ledger")
    try #require(numbers.count == 1, "rows of \(numbers.count) transactions")
    let number = try #require(numbers[0][0].flatMap { Int($0) })
    let torn = try program.value(
      "SELECT count(*) FROM ledger WHERE text <> printf('%0200d', id + number)")
    #expect(torn == "0")
    #expect(try program.value("SELECT count(*) FROM ledger") == "\(rows)")
    #expect(try program.value("SELECT count(*) FROM entry") == "\(number)")
    #expect(try program.value("SELECT coalesce(max(number), 0) FROM entry") == "\(number)")
    #expect(
      try program.value(
        "SELECT count(*) FROM entry WHERE text <> printf('%0100d', number)") == "0")
    return number
  }
}
