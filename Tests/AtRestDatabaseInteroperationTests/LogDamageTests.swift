import Foundation
import Testing

/// Somebody without the key changes a write-ahead log and adapts its checksums, which are not secret.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct LogDamageTests {
  static let programs: [Implementation] = [.atRest, .sqlcipher]

  /// The control: with the checksums computed again, and nothing else changed, the log is recovered.
  @Test(arguments: programs, [false, true])
  func aLogIsRecoveredInEitherByteOrder(_ reader: Implementation, isBig: Bool) throws {
    let folder = try Self.crashed()
    var log = try LogFile(folder.log)
    let original = log.bytes
    log.setBigEndian(isBig)
    #expect((log.bytes == original) == !isBig)
    try log.bytes.write(to: folder.log)
    let program = try DatabaseProgram(reader, opening: folder.database)
    #expect(try Ledger.checkedNumber(program) == 2)
    try program.run(Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "3") })
    let other = try DatabaseProgram(reader == .atRest ? .sqlcipher : .atRest)
    try other.open(folder.database)
    #expect(try Ledger.checkedNumber(other) == 3)
  }

  /// SQLCipher does not read a frame that a later one replaces.
  @Test(arguments: programs) func aChangedPageIsRefused(_ reader: Implementation) throws {
    let whole = try Self.crashed()
    let log = try LogFile(whole.log)
    for frame in stride(from: 0, to: log.frames.count, by: 5) {
      var changed = log
      changed.frames[frame][24 + 500] ^= 1
      changed.adaptSums()
      try Self.expectNoOtherRow(of: changed.bytes, whole, reader, "frame \(frame)")
    }
  }

  /// The page would be written to another place, or hide that another page has a newer version.
  /// SQLCipher reads the older version of that page, because it does not look at the frame.
  @Test func aChangedPageNumberIsRefused() throws {
    let whole = try Self.crashed()
    let log = try LogFile(whole.log)
    for frame in stride(from: 1, to: log.frames.count, by: 5)
    where log.page(of: frame) != log.page(of: frame - 1) {
      var changed = log
      changed.frames[frame].replaceSubrange(0..<4, with: log.frames[frame - 1][..<4])
      changed.adaptSums()
      try Self.expectNoOtherRow(of: changed.bytes, whole, .atRest, "frame \(frame)")
    }
  }

  /// The format does not authenticate the size of the database in the last frame of a transaction, so whoever
  /// can write to the log can end a transaction before its end.
  @Test(arguments: programs) func aTransactionCanBeCut(_ reader: Implementation) throws {
    let whole = try Self.crashed()
    var log = try LogFile(whole.log)
    // The first transaction changes all rows, and makes no page.
    let end = try #require(log.frames.firstIndex { $0[4..<8] != [0, 0, 0, 0] })
    log.frames[end - 6].replaceSubrange(4..<8, with: log.frames[end][4..<8])
    log.frames.removeSubrange((end - 5)...)
    log.adaptSums()
    try log.bytes.write(to: whole.log)
    let texts = Set(Self.texts(try DatabaseProgram(reader), whole))
    let before = Set((1...Ledger.rows).map { Self.padded($0) })
    let after = Set((1...Ledger.rows).map { Self.padded($0 + 1) })
    #expect(!texts.isEmpty && texts != before && texts != after)
  }

  /// Frames of plaintext, as a log of plain SQLite has them.
  @Test(arguments: programs, [1024, 4096])
  func aLogInPlaintextIsRefused(_ reader: Implementation, pageSize: Int) throws {
    let plain = try DatabaseFolder()
    let maker = try DatabaseProgram(
      .sqlcipher, opening: plain.database, DatabaseLayout(isPlaintext: true))
    try maker.run("PRAGMA page_size = \(pageSize)")
    try maker.run("PRAGMA journal_mode = wal")
    try maker.run("PRAGMA wal_autocheckpoint = 0")
    try maker.run(Ledger.creation)
    try maker.run("UPDATE ledger SET text = 'of another database'")
    try maker.crash()
    let whole = try Self.crashed()
    let program = try DatabaseProgram(reader)
    try Data(contentsOf: plain.log).write(to: whole.log)
    let found = Self.texts(program, whole)
    #expect(!found.contains("of another database"))
  }

  /// Two frames change their places in the log of an open database.
  @Test(arguments: programs)
  func swappedFramesOfAnOpenDatabaseAreRefused(_ reader: Implementation) throws {
    let folder = try DatabaseFolder()
    let program = try DatabaseProgram(reader, opening: folder.database)
    try program.run("PRAGMA journal_mode = wal")
    try program.run("PRAGMA wal_autocheckpoint = 0")
    try program.run("PRAGMA cache_size = 1")
    try program.run(Ledger.creation)
    let expected = Self.texts(program)
    var log = try LogFile(folder.log)
    // The last frames are leaves of the table. Each is the current version of its page.
    let last = log.frames.count - 1
    try #require(log.page(of: last - 3) != log.page(of: last - 6))
    log.frames.swapAt(last - 3, last - 6)
    let file = try FileHandle(forUpdating: folder.log)
    try file.write(contentsOf: log.bytes)
    try file.close()
    let found = Self.texts(program)
    #expect(found.isEmpty || found == expected)
    _ = try? program.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try? program.close()
    let other = try DatabaseProgram(.sqlcipher)
    let left = Self.texts(other, folder)
    #expect(left.isEmpty || left == expected)
  }

  /// Returns a database with a log of two transactions, whose program crashed.
  private static func crashed() throws -> DatabaseFolder {
    let folder = try DatabaseFolder()
    let program = try DatabaseProgram(.sqlcipher, opening: folder.database)
    try program.run("PRAGMA journal_mode = wal")
    try program.run(Ledger.creation)
    try program.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try program.run("PRAGMA wal_autocheckpoint = 0")
    for number in 1...2 {
      try program.run(
        Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "\(number)") })
    }
    try program.crash()
    return folder
  }

  /// Checks that a program refuses a database with a changed log, or reads the rows of its last commit.
  private static func expectNoOtherRow(
    of log: Data, _ whole: DatabaseFolder, _ reader: Implementation, _ place: String
  ) throws {
    let folder = try whole.copy()
    try log.write(to: folder.log)
    let found = texts(try DatabaseProgram(reader), folder)
    #expect(found.isEmpty || found == (1...Ledger.rows).map { padded($0 + 2) }, "\(place)")
  }

  private static func padded(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: 200 - digits.count) + digits
  }

  /// Returns all texts, or nothing if the program refuses to read them.
  private static func texts(
    _ program: DatabaseProgram, _ folder: DatabaseFolder? = nil
  ) -> [String?] {
    do {
      if let folder { try program.open(folder.database) }
      return try program.run("SELECT text FROM ledger ORDER BY id").map { $0[0] }
    } catch {
      return []
    }
  }
}
