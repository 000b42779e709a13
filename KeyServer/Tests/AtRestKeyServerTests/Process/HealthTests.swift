import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// What `/health` says of a server whose database cannot be written, and of one that is busy.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct HealthTests {
  private static let offline = "The database cannot be reached, or cannot be written.\n"

  @Test func `A database that can only be read is no healthy one`() throws {
    let server = try PostgreSQLServer()
    let database = try TestDatabase(on: server)
    let program = try ServerProgram(database)
    #expect(try program.curl("/health").text == "ok\n")
    try server.psql("ALTER SYSTEM SET default_transaction_read_only = on")
    try server.psql("SELECT pg_reload_conf()")
    #expect(try eventually { try program.curl("/health").text == Self.offline })
    #expect(try program.curl("/health", ["-o", "/dev/null", "-w", "%{http_code}"]).text == "503")
    // The control: it can still be read.
    #expect(try server.psql("SELECT count(*) FROM keyserver_state").contains("2"))
    try server.psql("ALTER SYSTEM RESET default_transaction_read_only")
    try server.psql("SELECT pg_reload_conf()")
    #expect(try eventually { try program.curl("/health").text == "ok\n" })
    #expect(program.stop() == 0)
  }

  @Test func `A server whose threads are all busy is alive`() throws {
    let database = try TestDatabase(.postgreSQL)
    let program = try ServerProgram(database)
    let output = TemporaryFile()
    let holder = try ChildProcess.start(
      [
        "\(PostgreSQLServer.programs ?? "")/psql", "-X", "-q", "-d",
        database.connectionString ?? "",
        "-c", "BEGIN", "-c", "LOCK TABLE keyserver_accounts", "-c", "SELECT pg_sleep(600)",
      ], output: output.path)
    defer {
      kill(holder, SIGKILL)
      ChildProcess.wait(holder)
    }
    let held = "SELECT count(*) FROM pg_locks WHERE relation = 'keyserver_accounts'::regclass AND"
    #expect(try eventually { try database.psql("\(held) granted") != "0" })
    let message = try Evaluation(
      account: "eva",
      element: BlindedInput(SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey)
        .element
    ).encoded
    let body = TemporaryFile()
    try message.write(to: URL(fileURLWithPath: body.path))
    // The program has two threads.
    let requests = try (0..<6).map { _ in
      try ChildProcess.start(
        [
          "curl", "-sS", "--cacert", program.certificate.certificate, "--noproxy", "*",
          "--data-binary",
          "@\(body.path)", "https://localhost:\(program.port)/v1/evaluate",
        ], output: "/dev/null")
    }
    defer {
      for request in requests {
        kill(request, SIGKILL)
        ChildProcess.wait(request)
      }
    }
    #expect(try eventually { try database.psql("\(held) NOT granted") == "2" })
    #expect(try program.curl("/health").text == "ok\n")
    // The control: both threads are still waiting.
    #expect(try database.psql("\(held) NOT granted") == "2")
  }
}
