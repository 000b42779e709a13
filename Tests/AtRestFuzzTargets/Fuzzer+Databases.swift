import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB

/// Databases with the log or journal that a crash left behind, whose bytes are changed.
extension Fuzzer {
  private static let pageSize = 1024
  private static let rows = 4
  private static let suffixes = ["", "-wal", "-journal"]

  /// The situations: a log, a journal, and the index of a log while a connection is open.
  private enum Situation: UInt8, CaseIterable {
    case log, journal, index
  }

  private static let format: DatabaseFormat = {
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = pageSize
    return format
  }()

  private struct Change {
    let suffix: String
    let offset: Int
    let bytes: Data
  }

  /// An input is the situation, a byte that is odd if the sums of log and index are adapted, and changes: the file,
  /// the offset and counted bytes.
  func readDatabase(_ input: consuming FuzzInput) throws {
    let situation = Situation.allCases[
      Int(input.integer(UInt8.self)) % Situation.allCases.count]
    let adaptsSums = input.integer(UInt8.self) & 1 == 1
    var changes: [Change] = []
    while !input.rest.isEmpty {
      let suffix = Self.suffixes[Int(input.integer(UInt8.self)) % Self.suffixes.count]
      changes.append(
        Change(
          suffix: suffix, offset: Int(input.integer(UInt16.self)), bytes: Data(input.counted())))
    }
    var files = try Self.honest[situation.rawValue]!.get()
    if situation != .index {
      for change in changes { Self.apply(change, to: &files) }
      if adaptsSums, let log = files["-wal"] { files["-wal"] = Self.adapted(log) }
    }
    let url = folder.appendingPathComponent("fuzzed.db")
    for suffix in Self.suffixes + ["-shm"] {
      let file = URL(fileURLWithPath: url.path + suffix)
      try? FileManager.default.removeItem(at: file)
      try files[suffix]?.write(to: file)
    }
    try isAccepted {
      do {
        if situation == .index {
          return try changeIndex(of: url, changes, adaptsSums: adaptsSums)
        }
        let found = try Self.rows(of: url)
        // A journal whose end is cut rolls back a part of its transaction. Whoever adapts the sums of a log can
        // end a transaction before its end.
        let isMixed = zip(1...Self.rows, found).allSatisfy { row, text in
          (0...3).contains { text == "\(row)=\($0)" }
        }
        let versions = (0...3).map { version in (1...Self.rows).map { "\($0)=\(version)" } }
        try expect(
          situation == .journal || versions.contains(found)
            || (adaptsSums && isMixed && found.count == Self.rows),
          "Rows that were never written: \(found)")
      } catch let error as DatabaseError {
        throw AtRestError(.damaged, "SQLite: \(error.resultCode)", remedy: "None.")
      }
    }
  }

  private static func apply(_ change: Change, to files: inout [String: Data]) {
    guard let file = files[change.suffix] else { return }
    if change.bytes.isEmpty {
      files[change.suffix] = file.prefix(change.offset)
    } else if change.offset + change.bytes.count <= file.count {
      files[change.suffix]?.replaceSubrange(
        change.offset..<change.offset + change.bytes.count, with: change.bytes)
    }
  }

  private static func rows(of url: URL) throws -> [String] {
    let queue = try EncryptedDatabase.openQueue(at: url, key: key(), format: format)
    defer { try? queue.close() }
    return try queue.read { try String.fetchAll($0, sql: "SELECT a || '=' || b FROM t") }
  }

  /// Overwrites the index of a log while two connections use it.
  private func changeIndex(of url: URL, _ changes: [Change], adaptsSums: Bool) throws {
    let queue = try EncryptedDatabase.openQueue(at: url, key: Self.key(), format: Self.format)
    defer { try? queue.close() }
    _ = try Self.rows(of: url)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    // Closing it ends the locks of this process, which no other process looks at.
    guard let file = FileHandle(forUpdatingAtPath: url.path + "-shm") else { return }
    defer { try? file.close() }
    for change in changes where change.offset + change.bytes.count <= Self.indexSize {
      try file.seek(toOffset: UInt64(change.offset))
      try file.write(contentsOf: change.bytes)
    }
    try Self.makeHeader(of: file, adaptsSums: adaptsSums)
    _ = try queue.read { try String.fetchAll($0, sql: "SELECT a || '=' || b FROM t") }
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "UPDATE t SET b = 3")
      _ = try Row.fetchAll($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    _ = try Self.rows(of: url)
  }

  private static let indexSize = 32_768

  /// Adapts the sums of the index, whose header exists twice. A number of frames for which the index has no space
  /// ends SQLite itself, so it is limited. Source: sqlite.org/walformat.html.
  private static func makeHeader(of file: FileHandle, adaptsSums: Bool) throws {
    try file.seek(toOffset: 0)
    guard let bytes = try file.read(upToCount: 96), bytes.count == 96 else { return }
    var words = bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    words[4] %= 4_000
    words[16] %= 4_000
    if adaptsSums {
      var sum: (UInt32, UInt32) = (0, 0)
      for word in stride(from: 0, to: 10, by: 2) {
        sum.0 &+= words[word] &+ sum.1
        sum.1 &+= words[word + 1] &+ sum.0
      }
      (words[10], words[11]) = sum
      words.replaceSubrange(12..<24, with: words[..<12])
    }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: words.withUnsafeBytes { Data($0) })
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
    let queue = try EncryptedDatabase.openQueue(at: url, key: key(), format: format, creating: true)
    func copy() -> [String: Data] {
      var files: [String: Data] = [:]
      for suffix in suffixes {
        files[suffix] = try? Data(contentsOf: URL(fileURLWithPath: url.path + suffix))
      }
      return files
    }
    return try queue.writeWithoutTransaction { db in
      if situation != .journal { try db.execute(sql: "PRAGMA journal_mode = WAL") }
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
