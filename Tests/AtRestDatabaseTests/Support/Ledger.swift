import Foundation
import Testing

/// A database in which each statement changes many pages, so that a part of a transaction shows.
enum Ledger {
  /// The long form of the tests: `make torture`.
  static let isLong = ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full"

  static func make(with worker: Worker, mode: String) throws {
    try worker.run("PRAGMA journal_mode = \(mode)")
    try worker.run("PRAGMA synchronous = FULL")
    // Small, so that pages are written before the end of a transaction.
    try worker.run("PRAGMA cache_size = 5")
    try worker.run("CREATE TABLE entry(a INTEGER PRIMARY KEY)")
    try worker.run("CREATE TABLE pad(i INTEGER PRIMARY KEY, a, b)")
    try worker.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) \
      INSERT INTO pad SELECT i, 0, zeroblob(3000) FROM n
      """)
    try worker.run(
      """
      CREATE TRIGGER spread AFTER INSERT ON entry BEGIN \
      UPDATE pad SET a = new.a; UPDATE pad SET b = randomblob(2900 + new.a) WHERE i % 7 = new.a % 7; \
      END
      """)
  }

  static let entry = "INSERT INTO entry(a) SELECT ifnull(max(a), 0) + 1 FROM entry"

  /// Checks that transactions are there as a whole, and returns their number.
  static func check(_ file: URL) throws -> Int {
    let worker = try Worker(file)
    defer { worker.end() }
    let state = try worker.run(
      """
      SELECT (SELECT count(*) FROM entry), (SELECT ifnull(max(a), 0) FROM entry), \
      (SELECT min(a) FROM pad), (SELECT max(a) FROM pad)
      """)
    let numbers = Set(state.flatMap { $0.split(separator: "|").compactMap { Int($0) } })
    #expect(numbers.count == 1, "\(state)")
    #expect(try worker.run("PRAGMA integrity_check") == ["ok"])
    return numbers.first ?? -1
  }
}
