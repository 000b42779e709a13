@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Glibc
import Synchronization

/// The program `atrest-keyserver serve`, as a process that tests can kill.
final class ServerProgram: Sendable {
  /// The path of the program.
  static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("atrest-keyserver").path

  let certificate: TestCertificate
  let port: Int
  private let pid: pid_t
  private let files = (TemporaryFile(), TemporaryFile())
  private let hasEnded = Atomic(false)

  struct Failure: Error { let text: String }

  /// Starts the program, and returns when it serves.
  ///
  /// - Parameters:
  ///   - flags: Further flags.
  ///   - connection: The connection string, if it is not the one of the database.
  ///   - keyFlag: False to leave the server key to the environment.
  ///   - portFlag: False to leave the port to the environment.
  init(
    _ database: TestDatabase, flags: [String] = [], environment: [String: String] = [:],
    keyFlag: Bool = true, portFlag: Bool = true, connection: String? = nil
  ) throws {
    certificate = try TestCertificate()
    try files.0.write(database.serverKey.hexadecimal)
    let arguments = [
      Self.path, "serve", "--certificate", certificate.certificate, "--private-key",
      certificate.key, "--workers", "2",
    ]
    pid = try ChildProcess.start(
      arguments + (connection.map { ["--database", $0] } ?? database.flags)
        + (keyFlag ? ["--server-key", files.0.path] : [])
        + (portFlag ? ["--port", "0"] : []) + flags,
      environment: environment, output: files.1.path)
    var found: Int?
    var isRunning = true
    for _ in 0..<24_000 where found == nil {
      usleep(5000)
      let log = (try? files.1.text()) ?? ""
      found = log.firstMatch(of: /port(=|":")(\d+)\D/).flatMap { Int($0.2) }
      // A program that ended before it served will not serve any more.
      isRunning = waitpid(pid, nil, WNOHANG) == 0
      if !isRunning { break }
    }
    port = found ?? 0
    guard found != nil, isRunning else {
      hasEnded.store(!isRunning, ordering: .releasing)
      throw Failure(text: (try? files.1.text()) ?? "")
    }
  }

  /// What the program has printed, on both outputs.
  func log() throws -> String { try files.1.text() }

  func transport() throws -> TLSTransport {
    try TLSTransport(
      host: "localhost", port: port, trustRoots: certificate.certificate, timeout: 120)
  }

  /// Runs curl with a path of the server.
  func curl(_ path: String, _ arguments: [String] = []) throws -> (status: Int32, text: String) {
    try ChildProcess.run(
      ["curl", "-sS", "--cacert", certificate.certificate, "--noproxy", "*", "--max-time", "120"]
        + arguments + ["https://localhost:\(port)\(path)"])
  }

  /// Sends a signal.
  func signal(_ number: Int32) { Glibc.kill(pid, number) }

  func kill() {
    signal(SIGKILL)
    _ = wait()
  }

  /// Sends SIGTERM, and returns the exit code.
  @discardableResult
  func stop() -> Int32 {
    signal(SIGTERM)
    return wait()
  }

  /// Waits for the end, and returns the exit code.
  func wait() -> Int32 {
    defer { hasEnded.store(true, ordering: .releasing) }
    return ChildProcess.wait(pid)
  }

  // A test that failed may not have stopped the program.
  deinit { if !hasEnded.load(ordering: .acquiring) { kill() } }
}

extension TestDatabase {
  /// The flags that name the database.
  var flags: [String] {
    switch place {
    case .embedded(let path): ["--embedded", path]
    case .postgreSQL(let settings): ["--database", settings]
    }
  }
}

/// Waits until a condition holds, and returns false if it does not within a time.
func eventually(_ seconds: Double = 120, _ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    usleep(2000)
  }
  return true
}
