import Foundation
import Testing

/// Damaged databases, logs and journals are refused, or the rows of a commit are read. The table in
/// `docs/Database.md` has what is detected.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct DamageTests {
  private static let isFull = ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full"
  private static let programs: [Implementation] = [.atRest, .sqlcipher]

  @Test(arguments: programs)
  func everyByteOfTheDatabaseIsAuthenticated(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: nil, commits: 1)
    let places = try database.flipped(
      DatabaseProgram(reader), \.database, step: Self.isFull ? 1 : 13)
    Self.report("database", reader, places)
    #expect(Set(places.keys) == [.refused])
  }

  /// A frame that does not fit the log's checksums ends it, as in plain SQLite, because a power loss
  /// can leave such a frame. The rows are then those of an earlier commit.
  @Test(arguments: programs)
  func aDamagedLogYieldsOnlyCommits(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: "wal", commits: 2)
    let places = try database.flipped(
      DatabaseProgram(reader), \.log, step: Self.isFull ? 1 : 37)
    Self.report("log", reader, places)
    #expect(places[.wrong] == nil)
    #expect(places[.same, default: []].count <= 4)
  }

  /// A record that does not fit its checksum ends the rollback, as in plain SQLite.
  @Test(arguments: programs)
  func aDamagedJournal(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: "delete", commits: 1)
    let places = try database.flipped(
      DatabaseProgram(reader), \.journal, step: Self.isFull ? 1 : 17)
    Self.report("journal", reader, places)
    #expect(places[.older] == nil)
  }

  @Test(arguments: programs)
  func swappedPagesAreRefused(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: nil, commits: 1)
    let whole = try Data(contentsOf: database.folder.database)
    let program = try DatabaseProgram(reader)
    let size = 1024
    let count = whole.count / size
    for first in 0..<count {
      for second in 0..<first {
        var swapped = whole
        swapped.replaceSubrange(
          first * size..<(first + 1) * size, with: whole[second * size..<(second + 1) * size])
        swapped.replaceSubrange(
          second * size..<(second + 1) * size, with: whole[first * size..<(first + 1) * size])
        #expect(try database.outcome(program, \.database, swapped) == .refused)
      }
    }
    #expect(count >= 5)
    #expect(try database.outcome(program, \.database, whole) == .same)
  }

  @Test(arguments: programs)
  func aFileThatWasCutIsRefused(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: nil, commits: 1)
    let whole = try Data(contentsOf: database.folder.database)
    let program = try DatabaseProgram(reader)
    for size in stride(from: 16, to: whole.count, by: Self.isFull ? 16 : 128) {
      #expect(
        try database.outcome(program, \.database, whole.prefix(size)) == .refused, "\(size) bytes")
    }
  }

  @Test(arguments: programs)
  func aLogThatWasCutYieldsCommits(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: "wal", commits: 2)
    let whole = try Data(contentsOf: database.folder.log)
    let program = try DatabaseProgram(reader)
    var outcomes: Set<DamagedDatabase.Outcome> = []
    for size in stride(from: 0, to: whole.count, by: Self.isFull ? 8 : 256) {
      outcomes.insert(try database.outcome(program, \.log, whole.prefix(size)))
    }
    #expect(!outcomes.contains(.wrong) && !outcomes.contains(.same))
  }

  /// SQLCipher's format does not detect this: an older page is authentic.
  @Test(arguments: programs)
  func olderPagesAreNotDetected(_ reader: Implementation) throws {
    let database = try DamagedDatabase(by: .sqlcipher, mode: nil, commits: 0)
    let older = try Data(contentsOf: database.folder.database)
    let program = try DatabaseProgram(reader)
    try program.open(database.folder.database, DamagedDatabase.layout)
    try program.run("UPDATE note SET text = replace(text, 'note', 'text')")
    try program.close()
    let newer = try Data(contentsOf: database.folder.database)
    #expect(older.count == newer.count)
    var outcomes: Set<DamagedDatabase.Outcome> = []
    for offset in stride(from: 1024, to: newer.count, by: 1024) {
      var mixed = newer
      mixed.replaceSubrange(offset..<offset + 1024, with: older[offset..<offset + 1024])
      if mixed != newer { outcomes.insert(try database.outcome(program, \.database, mixed)) }
    }
    #expect(outcomes.contains(.wrong))
    #expect(try database.outcome(program, \.database, older) == .same)
  }

  private static func report(
    _ file: String, _ reader: Implementation, _ places: [DamagedDatabase.Outcome: [Int]]
  ) {
    let counts = places.map { "\($0.value.count) \($0.key)" }.sorted().joined(separator: ", ")
    print("flipped bytes of a \(file), \(reader.rawValue): \(counts)")
  }
}
