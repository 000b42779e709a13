import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB

/// Databases with the log or journal that a crash left behind, whose bytes are changed.
extension Fuzzer {
  private static let pageSize = 1024
  private static let rows = 4
  private static let suffixes = ["", "-wal", "-journal"]

  /// The situations: a log, and a journal.
  private enum Situation: UInt8, CaseIterable {
    case log, journal
  }

  private static let format: DatabaseFormat = {
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = pageSize
    return format
  }()

  /// An input is the situation, a byte that is odd if the log's sums are adapted, and changes: the file,
  /// the offset and counted bytes.
  func readDatabase(_ input: consuming FuzzInput) throws {
    let situation = Situation.allCases[
      Int(input.integer(UInt8.self)) % Situation.allCases.count]
    let adaptsSums = input.integer(UInt8.self) & 1 == 1
    var files = try Self.honest[situation.rawValue]!.get()
    while !input.rest.isEmpty {
      let suffix = Self.suffixes[Int(input.integer(UInt8.self)) % Self.suffixes.count]
      let offset = Int(input.integer(UInt16.self))
      let bytes = input.counted()
      guard let file = files[suffix] else { continue }
      if bytes.isEmpty {
        files[suffix] = file.prefix(offset)
      } else if offset + bytes.count <= file.count {
        files[suffix]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      }
    }
    if adaptsSums, let log = files["-wal"] { files["-wal"] = Self.adapted(log) }
    let url = folder.appendingPathComponent("fuzzed.db")
    for suffix in Self.suffixes + ["-shm"] {
      let file = URL(fileURLWithPath: url.path + suffix)
      try? FileManager.default.removeItem(at: file)
      try files[suffix]?.write(to: file)
    }
    try isAccepted {
      let found: [String]
      do {
        let queue = try EncryptedDatabase.openQueue(
          at: url, key: Self.key(), format: Self.format)
        found = try queue.read { try String.fetchAll($0, sql: "SELECT a || '=' || b FROM t") }
        try queue.close()
      } catch let error as DatabaseError {
        throw AtRestError(.damaged, "SQLite: \(error.resultCode)", remedy: "None.")
      }
      let versions = (0...3).map { version in (1...Self.rows).map { "\($0)=\(version)" } }
      // A journal whose end is cut rolls back a part of its transaction.
      try expect(
        situation == .journal || versions.contains(found), "Rows that were never written: \(found)")
    }
  }

  func databaseSeeds() throws -> [Data] {
    Situation.allCases.flatMap { situation in
      [Data([situation.rawValue, 0])]
        + Self.suffixes.indices.map { file in
          Data([situation.rawValue, 1, UInt8(file), 1, 0]) + FuzzInput.counted(Data([1, 2, 3, 4]))
        }
    }
  }

  private static func key() throws -> DatabaseKey {
    try .raw(SecretBytes(Data(repeating: 7, count: 32)))
  }

  // MARK: Honest files

  private static let honest: [UInt8: Result<[String: Data], any Error>] = {
    var honest: [UInt8: Result<[String: Data], any Error>] = [:]
    for situation in Situation.allCases {
      honest[situation.rawValue] = Result { try files(in: situation) }
    }
    return honest
  }()

  /// The files of a database, copied while a connection has a log or the journal of a transaction.
  private static func files(in situation: Situation) throws -> [String: Data] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("honest.db")
    let queue = try EncryptedDatabase.openQueue(at: url, key: key(), format: format)
    func copy() -> [String: Data] {
      var files: [String: Data] = [:]
      for suffix in suffixes {
        files[suffix] = try? Data(contentsOf: URL(fileURLWithPath: url.path + suffix))
      }
      return files
    }
    return try queue.writeWithoutTransaction { db in
      if situation == .log { try db.execute(sql: "PRAGMA journal_mode = WAL") }
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)")
      for row in 1...rows {
        try db.execute(sql: "INSERT INTO t VALUES(?, 1, zeroblob(700))", arguments: [row])
      }
      if situation == .journal {
        try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE t SET b = 2; UPDATE t SET b = 3")
        defer { try? db.execute(sql: "ROLLBACK") }
        return copy()
      }
      _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      try db.execute(sql: "UPDATE t SET b = 2")
      try db.execute(sql: "UPDATE t SET b = 3")
      return copy()
    }
  }

  /// Gives the frames of a log the sums of their bytes, as anybody can compute them. Source:
  /// sqlite.org/fileformat2.html, *WAL File Format*.
  private static func adapted(_ log: Data) -> Data {
    var log = [UInt8](log)
    guard log.count >= 32 else { return Data(log) }
    let isBigEndian = log[3] & 1 == 1
    var sum: (UInt32, UInt32) = (0, 0)
    func word(_ offset: Int) -> UInt32 {
      let value = log[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return isBigEndian ? value : value.byteSwapped
    }
    func add(_ range: Range<Int>) {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        sum.0 = sum.0 &+ word(offset) &+ sum.1
        sum.1 = sum.1 &+ word(offset + 4) &+ sum.0
      }
    }
    func put(_ offset: Int) {
      for (index, value) in [sum.0, sum.1].enumerated() {
        withUnsafeBytes(of: value.bigEndian) {
          log.replaceSubrange(offset + index * 4..<offset + index * 4 + 4, with: $0)
        }
      }
    }
    add(0..<24)
    put(24)
    for frame in stride(from: 32, through: log.count - 24 - pageSize, by: 24 + pageSize) {
      add(frame..<frame + 8)
      add(frame + 24..<frame + 24 + pageSize)
      put(frame + 16)
    }
    return Data(log)
  }
}
