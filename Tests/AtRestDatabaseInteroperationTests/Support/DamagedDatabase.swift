import Foundation
import Testing

/// A small database in one of its states, of which damaged copies are opened.
struct DamagedDatabase {
  /// What a program makes of damaged files.
  enum Outcome: Hashable {
    /// It refuses to open or to read them.
    case refused
    /// It reads the rows that were committed last.
    case same
    /// It reads the rows of an earlier commit.
    case older
    /// It reads rows that were never committed together.
    case wrong
  }

  static let layout = DatabaseLayout(pageSize: 1024)
  private static let rows = "SELECT id, text FROM note ORDER BY id"

  let folder: DatabaseFolder
  /// The rows after each commit.
  private(set) var states: [[DatabaseProgram.Row]] = [[]]

  /// Makes a database of six pages.
  ///
  /// - Parameters:
  ///   - mode: The journal mode. If it is not nil, the program crashes and leaves a log, or the
  ///     journal of a transaction that is not committed.
  ///   - commits: The number of transactions after the first one.
  init(by maker: Implementation, mode: String?, commits: Int) throws {
    folder = try DatabaseFolder()
    let program = try DatabaseProgram(maker, opening: folder.database, Self.layout)
    try program.run("PRAGMA journal_mode = \(mode ?? "delete")")
    try program.run("PRAGMA wal_autocheckpoint = 0")
    try program.run("PRAGMA cache_size = 1")
    try program.run("CREATE TABLE note (id INTEGER PRIMARY KEY, text)")
    try program.run("CREATE INDEX note_text ON note (text)")
    try program.run(
      """
      WITH RECURSIVE counter(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM counter WHERE id < 24)
      INSERT INTO note SELECT id, printf('note %040d', id) FROM counter
      """)
    states.append(try program.run(Self.rows))
    for number in 0..<commits {
      try program.run("UPDATE note SET text = printf('commit %d %040d', \(number), id)")
      states.append(try program.run(Self.rows))
    }
    if mode == "delete" {
      try program.run("BEGIN")
      try program.run("UPDATE note SET text = 'uncommitted'")
      try program.run("INSERT INTO note (text) SELECT printf('more %0400d', id) FROM note")
    }
    if mode == nil { try program.close() } else { try program.crash() }
  }

  /// Returns what a program reads after one of the files was changed.
  func outcome(
    _ program: DatabaseProgram, _ file: KeyPath<DatabaseFolder, URL>, _ damaged: Data
  ) throws -> Outcome {
    let copy = try folder.copy()
    try damaged.write(to: copy[keyPath: file])
    defer { try? program.close() }
    do {
      try program.open(copy.database, Self.layout)
      let found = try program.run(Self.rows)
      let indexed = try program.run(
        "SELECT id, text FROM note INDEXED BY note_text WHERE text >= '' ORDER BY id")
      guard found == indexed, let state = states.firstIndex(of: found) else { return .wrong }
      return state == states.count - 1 ? .same : .older
    } catch is DatabaseProgram.Refusal {
      return .refused
    }
  }

  /// Flips a bit of each byte of a file, or of every `step`-th one, in a copy of its own.
  func flipped(
    _ program: DatabaseProgram, _ file: KeyPath<DatabaseFolder, URL>, step: Int
  ) throws -> [Outcome: [Int]] {
    let whole = try Data(contentsOf: folder[keyPath: file])
    var places: [Outcome: [Int]] = [:]
    for offset in stride(from: 0, to: whole.count, by: step) {
      var damaged = whole
      damaged[offset] ^= 1 << UInt8(offset / step % 8)
      places[try outcome(program, file, damaged), default: []].append(offset)
    }
    return places
  }
}
