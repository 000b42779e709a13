import ArgumentParser
import AtRestAgent
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import CAtRestPeer
import Foundation

/// The program `atrest-agent`.
@main struct AtRestAgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrest-agent",
    abstract: "Serves the keychain of one store to all programs of a user.",
    discussion: """
      The store stays locked until atrest unlock. Programs get the items of those access groups \
      that atrest grant gives them. The agent runs until it is told to end, and locks the store \
      then.

      EXAMPLES
        atrest-agent --idle 900
        atrest-agent --ask askpass:/usr/bin/ssh-askpass
      """,
    version: AtRestVersion.current)

  /// The memory of all keychains' caches in bytes. Each keychain would take 256 MiB.
  private static let databaseCaches: Int64 = 8 << 20

  /// The descriptors for all connections, questions, databases and logs.
  private static let descriptors: UInt64 = 4096

  @Option(help: ArgumentHelp("The store's folder. (default: as for atrest)", valueName: "folder"))
  var store: String?

  @Option(
    help: ArgumentHelp("The device key's folder. (default: as for atrest)", valueName: "folder"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "The path of the socket. (default: the service manager's socket, ATREST_AGENT, or one with "
        + "the name of the store in the folder atrest of XDG_RUNTIME_DIR)",
      valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The path of a socket for the ssh-agent protocol. (default: the service manager's socket "
        + "named ssh, or none)",
      valueName: "path"))
  var sshSocket: String?

  @Option(
    help: ArgumentHelp(
      "The path of a socket for LoadCredential= in units of systemd. (default: the service "
        + "manager's socket named credentials, or none)",
      valueName: "path"))
  var credentialSocket: String?

  @Option(
    help: ArgumentHelp(
      "The path of a socket for D-Bus, on which the agent is the Secret Service. (default: the service manager's "
        + "socket named secrets, or the path of the agent's socket and -bus)",
      valueName: "path"))
  var secretSocket: String?

  @Option(
    help: ArgumentHelp(
      "The session's bus, on which the agent is the Secret Service if no other keyring is: session for the one at "
        + "DBUS_SESSION_BUS_ADDRESS or in XDG_RUNTIME_DIR, an address, or none. (default: that of the environment, "
        + "to which only the calls of clients for other programs are passed on)",
      valueName: "bus"))
  var bus: String?

  @Flag(help: ArgumentHelp("Take the place of another keyring on the session's bus."))
  var replace = false

  @Option(
    help: ArgumentHelp(
      "Lock the store after this time without a request for an item. 0 means never.",
      valueName: "seconds"))
  var idle = 0

  @Option(
    help: ArgumentHelp(
      "Ask the user about requests without a grant: with a program that reads the question from its "
        + "standard input, with one that is called as SSH_ASKPASS is, so that other users see the "
        + "question in the list of processes, or on the terminal. (values: absolute path, "
        + "askpass:PATH, terminal, never)",
      valueName: "prompt"))
  var ask = "never"

  @Flag(
    help: ArgumentHelp(
      "Let ssh-add -X unlock the store with its passcode. Every program that can reach the socket for "
        + "SSH may then try passcodes."))
  var sshUnlock = false

  @Option(
    help: ArgumentHelp(
      "The folder of the audit log. (default: atrest in XDG_STATE_HOME)", valueName: "folder"))
  var log: String?

  /// Runs the program. Wrong usage has the exit code of `atrest`, 2, and not the parser's.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
      Foundation.exit(2)
    }
  }

  func validate() throws {
    guard idle >= 0 else { throw ValidationError("--idle cannot be negative.") }
    guard Prompt(argument: ask) != nil else {
      throw ValidationError(
        "--ask takes the absolute path of a program, also after askpass:, terminal, or never.")
    }
    guard !replace || joinedBus != nil else {
      throw ValidationError("--replace needs --bus.")
    }
  }

  /// The bus to join, or nil for none.
  private var joinedBus: String? { bus == SessionBusOptions.noBus ? nil : bus }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    // No thread receives these, because ``waitForEnd(_:)`` does.
    var ends = sigset_t()
    sigemptyset(&ends)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ends, number) }
    sigprocmask(SIG_BLOCK, &ends, nil)
    if atrest_harden() != 0 { Self.note("Core dumps could not be disabled.") }
    atrest_limit_heap()
    atrest_limit_database_caches(Self.databaseCaches)
    if atrest_raise_descriptor_limit(Self.descriptors) < Self.descriptors {
      Self.note("This process may have few descriptors open, so many connections can end early.")
    }
    let activated = AgentListener.activated()
    let location = StoreLocation(store: store, device: device)
    do {
      let session = try joinedBus.map { try SessionBusOptions(bus: $0, replaces: replace) }
      let folder = folderOfLog(location)
      let log = try AuditLog(in: folder, note: Self.note)
      let prompt = Prompt(argument: ask) ?? .never
      let ssh = activated["ssh"] ?? sshSocket.map { .path($0) }
      let service = try AgentService(
        location, log: log,
        options: .init(
          idleSeconds: idle, prompt: prompt, sshSocket: ssh?.path, bus: bus,
          replacesKeyring: replace))
      let listener = activated["agent"] ?? .path(standardSocket(of: service, folder))
      guard let path = listener.path else {
        throw AtRestError(
          .invalidArgument, "The service manager's socket has no path.",
          remedy: "Use ListenStream= with a path.")
      }
      let claim = try AgentClaim(
        store: location.store, socket: path, identity: service.identity)
      service.confirmLocks()
      let server = AgentServer(service) { path in
        Self.note(
          "The socket \(path) was removed or replaced, so no program finds this agent. It ends.")
        kill(getpid(), SIGTERM)
      }
      // Whoever finds the agent's own socket finds this one too.
      let secrets = try SecretServer(server)
      let sessionBus = try session?.address ?? SessionBusAddress(nil)
      try listen(
        secrets, activated["secrets"], beside: path,
        passingOnTo: bus == SessionBusOptions.noBus ? nil : sessionBus)
      if let session { secrets.join(session, note: Self.note) }
      try server.listen(listener)
      if let ssh {
        try server.listenForSSH(
          ssh, confirmation: prompt == .never ? .standard : prompt, takesPasscode: sshUnlock)
      }
      let credentials = activated["credentials"] ?? credentialSocket.map { .path($0) }
      if let credentials { try server.listenForCredentials(credentials) }
      LockSignals.watch(for: service, session: sessionBus, note: Self.note)
      Self.note("serving \(location.store.path) at \(path)")
      Self.waitForEnd(ends)
      server.stop()
      withExtendedLifetime(claim) {}
    } catch let error as AtRestError {
      Self.note("\(error.message)\n  \(error.remedy)")
      throw ExitCode.failure
    }
  }

  /// The socket that was named, or the standard one of the store.
  private func standardSocket(of service: AgentService, _ state: URL) -> String {
    if let socket {
      // The system resolves the rest of the path, which may have links.
      return socket.hasPrefix("/")
        ? socket : FileManager.default.currentDirectoryPath + "/" + socket
    }
    let variable = ProcessInfo.processInfo.environment["ATREST_AGENT"] ?? ""
    return variable.hasPrefix("/")
      ? variable : AgentPlace.standardSocket(of: service.identity, state: state)
  }

  /// Listens for the Secret Service. Without a socket of a standard name, the agent serves the rest.
  private func listen(
    _ server: SecretServer, _ activated: AgentListener?, beside socket: String,
    passingOnTo bus: SessionBusAddress?
  ) throws {
    if let given = activated ?? secretSocket.map({ .path($0) }) {
      return try server.listen(given, passingOnTo: bus)
    }
    do {
      try server.listen(
        .path(AgentPlace.secretServiceSocket(beside: socket)), passingOnTo: bus)
    } catch let error as AtRestError {
      Self.note("There is no socket for the Secret Service. \(error.message)")
    }
  }

  private func folderOfLog(_ location: StoreLocation) -> URL {
    if let log { return URL(fileURLWithPath: log, isDirectory: true) }
    return location.device.deletingLastPathComponent()
  }

  /// Waits for a signal to end.
  private static func waitForEnd(_ ends: sigset_t) {
    var (ends, number) = (ends, Int32(0))
    sigwait(&ends, &number)
  }

  private static func note(_ text: String) {
    // Nobody may read it any more, which FileHandle would not survive.
    let bytes = Array("atrest-agent: \(text)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
