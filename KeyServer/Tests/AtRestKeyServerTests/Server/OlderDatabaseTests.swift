@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// A server whose database was replaced by an older copy answers nothing.
@Suite struct OlderDatabaseTests {
  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `A server that runs stops answering`() async throws {
    let database = try TestDatabase(.postgreSQL)
    let store = try database.store()
    try store.createAccount("eva")
    let record = TemporaryFile()
    defer { withExtendedLifetime(record) {} }
    try await TestServer.run(store, rate: .init(perSecond: 1e6, burst: 1e6), record: record.path) {
      server in
      let client = try server.client(account: "eva")
      // The control: it answers before.
      _ = try client.share("documents", creating: true)
      // As in a dump from before the server's first start.
      try database.psql(
        "DELETE FROM keyserver_state WHERE encode(id, 'escape') LIKE 'server %'")
      #expect(
        eventually {
          do {
            _ = try client.share("documents")
            return false
          } catch let error as AtRestError {
            return error.code == .keyServerOffline
          } catch {
            return false
          }
        })
      let health = try ChildProcess.run([
        "curl", "-sS", "--cacert", server.certificate, "--noproxy", "*", "-w", "%{http_code}",
        "https://localhost:\(server.port)/health",
      ])
      #expect(health.text == "The database does not agree with its record.\n503")
    }
  }

  @Test func `The program refuses to start, until the operator accepts the database`() throws {
    let database = try TestDatabase(.embedded)
    let record = TemporaryFile()
    defer { withExtendedLifetime(record) {} }
    let flags = ["--record", record.path]
    try database.store().createAccount("eva")
    let program = try ServerProgram(database, flags: flags)
    #expect(try program.curl("/health").text == "ok\n")
    // What happens between the last comparison and the end counts too.
    let backup = try database.backup()
    #expect(program.stop() == 0)

    do {
      _ = try ServerProgram(backup, flags: flags)
      Issue.record("An older database is served.")
    } catch let failure as ServerProgram.Failure {
      #expect(failure.text.contains("The database is older than it was on"))
      #expect(failure.text.contains("atrest-keyserver accept-older"))
    }
    let key = TemporaryFile()
    try key.write(backup.serverKey.hexadecimal)
    let accepted = try ChildProcess.capture(
      [ServerProgram.path, "accept-older", "--server-key", key.path] + backup.flags + flags)
    #expect(accepted.status == 0, "\(accepted.errors)")
    let again = try ServerProgram(backup, flags: flags)
    #expect(try again.curl("/health").text == "ok\n")
    #expect(again.stop() == 0)
  }

  @Test func `The state folder of systemd holds the record`() throws {
    let database = try TestDatabase(.embedded)
    let folder = TemporaryFile()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let program = try ServerProgram(database, environment: ["STATE_DIRECTORY": folder.path])
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/record"))
    #expect(try !program.log().contains("Without a record"))
    #expect(program.stop() == 0)
    let without = try ServerProgram(database)
    #expect(try without.log().contains("Without a record"))
    #expect(without.stop() == 0)
  }
}
