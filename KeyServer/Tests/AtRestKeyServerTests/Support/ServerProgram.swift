import AtRestKeyServerClient
import AtRestKeyServerProtocol
import Foundation
import Glibc

/// The program `atrest-keyserver serve`, as a process that tests can kill.
final class ServerProgram: Sendable {
  private let pid: pid_t
  private let port: Int
  private let files = (TemporaryFile(), TemporaryFile(), TemporaryFile(), TemporaryFile())

  struct Failure: Error { let text: String }

  /// Starts the program, and returns when it serves.
  init(_ database: TestDatabase) throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("atrest-keyserver").path
    let made = try ChildProcess.run([
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", files.1.path, "-out", files.0.path, "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost",
    ])
    guard made.status == 0 else { throw Failure(text: made.text) }
    try Data(database.serverKey.hexadecimal.utf8).write(to: URL(fileURLWithPath: files.2.path))
    let place =
      switch database.place {
      case .embedded(let path): ["--embedded", path]
      case .postgreSQL(let settings): ["--database", settings]
      }
    pid = try ChildProcess.start(
      [
        program, "serve", "--port", "0", "--certificate", files.0.path, "--private-key",
        files.1.path, "--server-key", files.2.path, "--workers", "2",
      ] + place, output: files.3.path)
    var found: Int?
    for _ in 0..<2000 where found == nil {
      usleep(5000)
      let log = (try? String(contentsOfFile: files.3.path, encoding: .utf8)) ?? ""
      found = log.firstMatch(of: /port=(\d+)/).flatMap { Int($0.1) }
    }
    guard let found else {
      throw Failure(text: (try? String(contentsOfFile: files.3.path, encoding: .utf8)) ?? "")
    }
    port = found
  }

  func transport() throws -> TLSTransport {
    try TLSTransport(host: "localhost", port: port, trustRoots: files.0.path, timeout: 5)
  }

  func kill() {
    Glibc.kill(pid, SIGKILL)
    ChildProcess.wait(pid)
  }

  /// Sends SIGTERM, and returns the exit code.
  func stop() -> Int32 {
    Glibc.kill(pid, SIGTERM)
    return ChildProcess.wait(pid)
  }
}
