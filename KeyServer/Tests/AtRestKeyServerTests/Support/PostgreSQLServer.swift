import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server in a folder of its own, reached through a Unix socket only.
///
/// `initdb` refuses to run as root, so a test that runs as root runs the server as the user
/// `postgres` of Debian's package, or as `nobody`.
final class PostgreSQLServer: Sendable {
  let folder: String
  let port: Int
  /// The network in which the server also listens, or nil for this one.
  private let network: NetworkNamespace?

  /// The server that most tests share. It is started once, and removed when the process ends.
  static let shared = Result { try PostgreSQLServer() }

  /// The folder with `initdb` and `postgres`, or nil if PostgreSQL is not installed.
  static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
      .first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  private static let folders = Mutex<[String]>([])
  private static let nextPort = Atomic(5433)

  /// Makes an empty cluster and starts it.
  ///
  /// - Parameters:
  ///   - certificate: A certificate for a server that is also reached over TLS on the loopback interface.
  ///   - network: The network of the server, in which it is also reached without TLS.
  init(
    settings: [String] = [], certificate: TestCertificate? = nil,
    network: NetworkNamespace? = nil
  ) throws {
    self.network = network
    folder = try Self.makeFolder()
    port =
      certificate == nil
      ? Self.nextPort.add(1, ordering: .relaxed).oldValue : .random(in: 20_000..<30_000)
    try Self.require(
      [
        "\(Self.programs ?? "")/initdb", "-D", "\(folder)/data", "-A", "trust", "-U", "keyserver",
        "--no-sync", "-E", "UTF8", "--locale", "C",
      ])
    var settings = settings
    if let certificate {
      // The server accepts no key that belongs to another user.
      let (chain, key) = ("\(folder)/chain.pem", "\(folder)/key.pem")
      for (from, to) in [(certificate.certificate, chain), (certificate.key, key)] {
        try FileManager.default.copyItem(atPath: from, toPath: to)
        if getuid() == 0 { chown(to, Self.user.uid, Self.user.gid) }
        chmod(to, 0o600)
      }
      settings += [
        "listen_addresses = '127.0.0.1'", "ssl = on", "ssl_cert_file = '\(chain)'",
        "ssl_key_file = '\(key)'",
      ]
    }
    if let network {
      settings.append("listen_addresses = '\(network.address)'")
      try append(["host all all samenet trust"], to: "pg_hba.conf")
    }
    try configure(settings)
    try start()
  }

  /// A connection string that reaches the server over the network, without `sslmode`.
  func networkConnection(host: String) -> String {
    "host=\(host) port=\(port) user=keyserver dbname=postgres"
  }

  /// Makes a standby of another server and starts it.
  init(standbyOf primary: PostgreSQLServer) throws {
    network = nil
    folder = try Self.makeFolder()
    port = Self.nextPort.add(1, ordering: .relaxed).oldValue
    try follow(primary)
  }

  /// Makes a standby of another server out of a server that was killed, in its place.
  func becomeStandby(of primary: PostgreSQLServer) throws {
    try FileManager.default.removeItem(atPath: "\(folder)/data")
    try follow(primary)
  }

  private func follow(_ primary: PostgreSQLServer) throws {
    try Self.require(
      [
        "\(Self.programs ?? "")/pg_basebackup", "-D", "\(folder)/data", "-R", "-c", "fast",
        "--no-sync", "-d", primary.connection(),
      ])
    try configure([])
    // This file comes before the other one, and the primary's own setting is in it.
    try append(["synchronous_standby_names = ''"], to: "postgresql.auto.conf")
    try start()
  }

  private static func makeFolder() throws -> String {
    let folder = "/tmp/atrest-keyserver-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    if getuid() == 0 { chown(folder, user.uid, user.gid) }
    if folders.withLock({
      $0.append(folder)
      return $0.count
    }) == 1 {
      atexit { PostgreSQLServer.removeAll() }
    }
    return folder
  }

  private static var user: (name: String, uid: uid_t, gid: gid_t) {
    for name in ["postgres", "nobody"] {
      if let entry = getpwnam(name) { return (name, entry.pointee.pw_uid, entry.pointee.pw_gid) }
    }
    return ("nobody", 65534, 65534)
  }

  /// The arguments that run a program as a user whom PostgreSQL accepts.
  private static var prefix: [String] {
    getuid() == 0
      ? ["setpriv", "--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--clear-groups"] : []
  }

  private static func require(
    _ arguments: [String], in network: NetworkNamespace? = nil
  ) throws {
    let (status, text) = try ChildProcess.run((network?.prefix ?? []) + prefix + arguments)
    struct Failure: Error, CustomStringConvertible { let description: String }
    guard status == 0 else { throw Failure(description: "\(arguments): \(text)") }
  }

  private func configure(_ settings: [String]) throws {
    try append(
      [
        "listen_addresses = ''", "unix_socket_directories = '\(folder)'", "port = \(port)",
        "fsync = off", "max_connections = 50", "shared_buffers = 32MB", "log_min_messages = fatal",
        "log_line_prefix = '%a: '",
      ] + settings, to: "postgresql.conf")
  }

  private func append(_ lines: [String], to file: String) throws {
    let file = "\(folder)/data/\(file)"
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    handle.seekToEndOfFile()
    handle.write(Data(("\n" + lines.joined(separator: "\n") + "\n").utf8))
    try handle.close()
  }

  /// Starts the server, and returns when it answers.
  func start() throws {
    let command = [
      "\(Self.programs ?? "")/pg_ctl", "-D", "\(folder)/data", "-w", "-s", "-l", "\(folder)/log",
      "start",
    ]
    let end = ContinuousClock.now + .seconds(120)
    while true {
      do {
        return try Self.require(command, in: network)
      } catch {
        // A process that began just before a kill, and is still ending, has the former memory.
        let log = try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)
        guard log?.contains("is still in use") == true, ContinuousClock.now < end else {
          throw error
        }
        usleep(20_000)
      }
    }
  }

  /// Stops the server without a checkpoint.
  func stop() throws {
    try Self.require(
      ["\(Self.programs ?? "")/pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "-s", "stop"])
  }

  /// Kills the server and its processes with SIGKILL.
  func kill() throws {
    let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    guard let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }) else { return }
    let children = try ChildProcess.run(["pgrep", "-P", "\(pid)"]).text.split(separator: "\n")
    let all = [pid] + children.compactMap { Int32($0) }
    for process in all { Glibc.kill(process, SIGKILL) }
    _ = eventually { all.allSatisfy { Glibc.kill($0, 0) != 0 } }
    unlink("\(folder)/data/postmaster.pid")
  }

  /// Answers no commit before one of its standbys has applied it.
  func requireStandby() throws {
    try psql("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'")
    try psql("SELECT pg_reload_conf()")
    struct Failure: Error {}
    let isRequired = try eventually {
      try psql("SELECT sync_state FROM pg_stat_replication").contains("quorum")
    }
    guard isRequired else { throw Failure() }
  }

  /// Makes a standby the primary.
  func promote() throws {
    try Self.require(
      ["\(Self.programs ?? "")/pg_ctl", "-D", "\(folder)/data", "-w", "-s", "promote"])
  }

  /// A connection string of libpq.
  ///
  /// - Parameters:
  ///   - schema: A schema for the tables of one test, which is made. It is also the name of the
  ///     application.
  ///   - logsStatements: True if ``statements(of:)`` is to have what the connection executes.
  ///   - proxy: The folder with the socket, if it is not the server's own.
  func connection(
    schema: String? = nil, logsStatements: Bool = false, through proxy: String? = nil
  ) -> String {
    let base = "host=\(proxy ?? folder) port=\(port) user=keyserver dbname=postgres"
    let logging = logsStatements ? " -c log_statement=all -c log_min_messages=log" : ""
    return schema.map {
      "\(base) application_name=\($0) options='-c search_path=\($0)\(logging)'"
    } ?? base
  }

  /// Returns the statements that connections with a schema executed, without values, the oldest
  /// first.
  func statements(of schema: String) throws -> [String] {
    try String(contentsOfFile: "\(folder)/log", encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        guard line.hasPrefix("\(schema): LOG:  ") else { return nil }
        let text = line.dropFirst("\(schema): LOG:  ".count)
        if text.hasPrefix("statement: ") { return String(text.dropFirst("statement: ".count)) }
        guard text.hasPrefix("execute "), let colon = text.firstIndex(of: ":") else { return nil }
        return String(text[text.index(after: colon)...].drop { $0 == " " })
      }
  }

  /// Runs SQL with `psql`, and returns what it prints.
  @discardableResult
  func psql(_ sql: String) throws -> String {
    let (status, text) = try ChildProcess.run(
      [
        "\(Self.programs ?? "")/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d",
        connection(), "-c", sql,
      ])
    struct Failure: Error, CustomStringConvertible { let description: String }
    guard status == 0 else { throw Failure(description: text) }
    return text
  }

  /// Stops and removes all servers that this process made.
  private static func removeAll() {
    for folder in folders.withLock({ $0 }) {
      _ = try? ChildProcess.run(
        prefix + ["\(programs ?? "")/pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "stop"])
      try? FileManager.default.removeItem(atPath: folder)
    }
  }
}
