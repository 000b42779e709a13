import AtRest
import Foundation
import GRDB
import Testing

/// A crash while a database is made leaves nothing that stays.
@Suite struct DatabaseCrashTests {
  /// Runs the worker, which makes a database and is killed at one of SQLite's statements.
  ///
  /// - Returns: True if the worker was killed, and false if it had finished before.
  private func crash(in folder: URL, at statement: Int) throws -> Bool {
    let process = Process()
    process.executableURL = try IntegrityRun.worker()
    process.arguments = ["database", folder.path, "\(statement)"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal { return true }
    #expect(process.terminationStatus == 0)
    return false
  }

  private func account(in folder: URL) throws -> Compartment {
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let keybag = try Keybag.open(at: folder.appendingPathComponent("store"), device: device)
    if keybag.lockState != .unlocked { try keybag.unlock() }
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("torture"))
    return try Vault.open(in: folder.appendingPathComponent("vault"), keychain: keychain)
      .logIn("eva")
  }

  private func files(in folder: URL) throws -> [String] {
    let values = folder.appendingPathComponent("vault/values").path
    return (FileManager.default.enumerator(atPath: values)?.allObjects as? [String] ?? [])
      .filter { $0.contains("/") }
  }

  @Test func theNextOpeningMakesIt() throws {
    for statement in 0..<20 {
      let finished = try IntegrityRun.withFolder { folder in
        let wasKilled = try crash(in: folder, at: statement)
        let eva = try account(in: folder)
        #expect(try eva.contents.map(\.store) == [.database])
        #expect(try eva.databaseWithNote(in: .archive).notes == ["walrus"])
        return !wasKilled
      }
      if finished {
        #expect(statement > 2)
        return
      }
    }
    #expect(Bool(false), "The worker never finished.")
  }

  @Test func aLogoutRemovesWhatIsThere() throws {
    for statement in 0..<3 {
      try IntegrityRun.withFolder { folder in
        #expect(try crash(in: folder, at: statement))
        #expect(try !files(in: folder).isEmpty)
        let eva = try account(in: folder)
        try eva.vault.purge()
        #expect(try !files(in: folder).isEmpty)
        try eva.logOut()
        #expect(try files(in: folder).isEmpty)
        #expect(try eva.vault.logIn("eva").contents.isEmpty)
      }
    }
  }
}
