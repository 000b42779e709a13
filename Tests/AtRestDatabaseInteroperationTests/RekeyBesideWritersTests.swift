import Foundation
import Testing

/// Writers of two programs come and go, while a loop draws new keys, and others vacuum, copy the log and change
/// the passphrase. Programs are killed at any moment. No row that was acknowledged is lost, nothing is called
/// damaged, and the database opens at the end.
///
/// SQLCipher takes part where the key is a passphrase. In WAL mode it is open alone, as `docs/Database.md` says.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct RekeyBesideWritersTests {
  enum Keys: CaseIterable { case passphrase, keyFile, item }

  private static let duration: Duration =
    ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full" ? .seconds(600) : .seconds(4)

  @Test(arguments: ["delete", "wal", "truncate"], Keys.allCases)
  func nothingIsLost(mode: String, keys: Keys) throws {
    let scene = try Scene(mode, keys)
    let start = ContinuousClock.now
    // On a machine that is busy, the short form takes until there was something to lose.
    let goesOn: @Sendable () -> Bool = {
      let time = ContinuousClock.now - start
      return time < Self.duration || (time < .seconds(120) && !scene.ledger.hasEnough)
    }
    // Threads of their own: a queue has only as many as the machine has processors, and the others would not begin.
    let threads = DispatchGroup()
    for thread in 0..<4 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        var round = 0
        while goesOn() {
          round += 1
          switch thread {
          case 0: scene.rekey(round)
          case 3: round.isMultiple(of: 2) ? scene.changePassphrase() : scene.maintain(round)
          default: scene.write(thread, round, .random(in: 0..<3) == 0 ? .sqlcipher : .atRest)
          }
        }
        scene.ledger.count(round > 0 ? "thread" : "idle thread")
      }
    }
    threads.wait()
    try scene.check()
    let ledger = scene.ledger
    print("rekey beside writers, \(mode), \(keys): \(ledger.rows.count) rows, \(ledger.words)")
    for fault in ledger.faults.prefix(5) { Issue.record("\(fault)") }
    #expect(ledger.hasEnough)
    #expect(ledger.number("thread") == 4)
  }

  /// Control: a row that is not there, and a database without a key, are faults.
  @Test func lossesAreFound() throws {
    let scene = try Scene("delete", .keyFile)
    scene.write(1, 1, .atRest)
    try scene.check()
    #expect(scene.ledger.faults.isEmpty)
    scene.ledger.add(1, 1_000_000)
    try scene.check()
    #expect(scene.ledger.faults.count == 1)
  }

  /// A database, its key, and the programs that use it.
  private final class Scene: Sendable {
    let mode: String
    let keys: Keys
    let ledger = RekeyLedger()
    private let folder: DatabaseFolder
    private let phrases = ["wren", "otter"]
    /// Held by whoever has the database open, where SQLCipher must be alone.
    private let turn = NSLock()

    init(_ mode: String, _ keys: Keys) throws {
      self.mode = mode
      self.keys = keys
      folder = try DatabaseFolder()
      let maker = try DatabaseProgram(.atRest, opening: folder.database, layout("wren"))
      try maker.run("PRAGMA journal_mode = \(mode)")
      try maker.run("CREATE TABLE entry (writer, number, text, PRIMARY KEY (writer, number))")
      try maker.close()
    }

    private func key(_ phrase: String) -> String {
      let folder = folder.url.path
      return switch keys {
      case .passphrase: phrase
      case .keyFile: "file|\(folder)/app.key|\(phrase)"
      case .item: "item|\(folder)/store|\(folder)/device|app"
      }
    }

    private func layout(_ phrase: String) -> DatabaseLayout {
      var layout = DatabaseLayout.standard
      layout.key = key(phrase)
      layout.iterations = 1_000
      return layout
    }

    private var isExclusive: Bool { keys == .passphrase && mode == "wal" }

    /// Errors that a program may have beside others: everything but damage.
    private func judge(_ error: any Error, _ what: String) {
      let text = "\(error)"
      // The advice for a wrong key has the word too.
      let isDamage =
        text.contains("malformed")
        || text.contains("damaged") && !text.contains("If they are right, the salt")
      if isDamage { ledger.fault("\(what): \(text)") } else { ledger.count("refused") }
    }

    /// Opens the database with the phrase that fits at the moment. Returns nil if others prevent it.
    private func open(_ implementation: Implementation, _ what: String) -> DatabaseProgram? {
      for phrase in phrases.shuffled() {
        guard let program = try? DatabaseProgram(implementation) else { return nil }
        do {
          try program.open(folder.database, layout(phrase))
          try program.run("SELECT count(*) FROM entry")
          return program
        } catch {
          judge(error, what)
        }
      }
      return nil
    }

    func write(_ writer: Int, _ round: Int, _ implementation: Implementation) {
      let implementation = keys == .passphrase ? implementation : .atRest
      if isExclusive { turn.lock() }
      defer { if isExclusive { turn.unlock() } }
      guard let program = open(implementation, "writer") else { return }
      do {
        for number in 0..<Int.random(in: 1...8) {
          let number = round * 10 + number
          try program.run(
            "INSERT INTO entry VALUES (\(writer), \(number), printf('%0900d', \(number)))")
          ledger.add(writer, number)
        }
        if Int.random(in: 0..<4) > 0 { return try program.close() }
        // Killed in the middle of a transaction.
        try program.startLoop(
          [
            "BEGIN IMMEDIATE",
            "INSERT INTO entry VALUES (\(writer + 10), \(round) + {n} / 1e6, '')",
            "COMMIT",
          ], count: 100)
        usleep(.random(in: 0..<4_000))
        program.kill()
        ledger.count("killed")
      } catch {
        judge(error, "writer")
      }
    }

    func rekey(_ round: Int) {
      guard let program = try? DatabaseProgram(.atRest) else { return }
      // The program exists until the process was killed.
      let killing = DispatchGroup()
      defer { killing.wait() }
      for phrase in phrases.shuffled() {
        let new = keys == .passphrase ? phrases.first { $0 != phrase } ?? phrase : phrase
        do {
          if round.isMultiple(of: 5) {
            let process = program.identifier
            DispatchQueue.global().async(group: killing) {
              usleep(.random(in: 500..<60_000))
              kill(process, SIGKILL)
            }
          }
          try program.rekey(folder.database, key(phrase), to: key(new), layout(phrase))
          ledger.count("rekey")
          return
        } catch is DatabaseProgram.EndedEarly {
          return ledger.count("rekey killed")
        } catch {
          judge(error, "rekey")
        }
      }
    }

    func maintain(_ round: Int) {
      if isExclusive { turn.lock() }
      defer { if isExclusive { turn.unlock() } }
      guard let program = open(.atRest, "maintenance") else { return }
      do {
        let statements = [
          "VACUUM", "PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(TRUNCATE)",
        ]
        try program.run(statements[round / 2 % 3])
        ledger.count("maintenance")
        try program.close()
      } catch {
        judge(error, "maintenance")
      }
    }

    func changePassphrase() {
      guard keys == .keyFile, let program = try? DatabaseProgram(.atRest) else { return }
      let phrases = phrases.shuffled()
      do {
        try program.changePassphrase(
          folder.url.appendingPathComponent("app.key"), from: phrases[0], to: phrases[1])
        ledger.count("passphrase")
      } catch {
        judge(error, "passphrase")
      }
    }

    func check() throws {
      guard let program = open(.atRest, "the end") else { return ledger.fault("no key opens it") }
      let rows = try program.run("SELECT writer, number FROM entry WHERE writer < 10")
      let found = Set(rows.map { "\($0[0] ?? "")/\($0[1] ?? "")" })
      let lost = ledger.rows.subtracting(found)
      if !lost.isEmpty { ledger.fault("\(lost.count) rows are lost: \(lost.sorted().prefix(5))") }
      if try program.value("PRAGMA integrity_check") != "ok" { ledger.fault("integrity_check") }
      if try !program.run("PRAGMA cipher_integrity_check").isEmpty { ledger.fault("a page") }
      try program.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      if names.contains(where: { $0.contains(".atrest-rekey") }) { ledger.fault("left: \(names)") }
    }
  }
}
