@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent
@testable import AtRestCrypto

/// A store with a passcode and an agent that serves it, in a folder of a test's own.
final class AgentRun {
  static let passcode = "the first passcode"
  static let mail = PrimaryKey.genericPassword(service: "mail", account: "eva", group: "mail")

  let folder: URL
  let location: StoreLocation
  /// The program that answers the agent's questions.
  let asker: TestAsker
  private(set) var service: AgentService
  private var server: AgentServer?
  private let options: AgentService.Options

  /// Creates a store with an item in the group `mail` and one in the group `bank`.
  ///
  /// - Parameter asks: True to ask about requests without a grant, with ``asker``.
  init(
    idleSeconds: Int = 0, secondsForFrame: Int64 = 10, asks: Bool = false,
    secondsToAnswer: Int = 45, root: DeviceRoot = .file, kdf: PasswordKDF = .forTesting
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-agent-\(UUID().uuidString.prefix(13))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    location = StoreLocation(
      store: folder.appendingPathComponent("store").path,
      device: folder.appendingPathComponent("device").path)
    let keybag = try Keybag.create(
      at: location.store, device: location.makeDevice(root),
      passcode: SecretBytes(utf8: Self.passcode), options: .init(kdf: kdf))
    try keybag.unlock(passcode: SecretBytes(utf8: Self.passcode))
    let keychain = try Keychain.open(keybag, identity: .owner())
    try keychain.add(Self.mail, secret: SecretBytes(utf8: "mail secret"))
    try keychain.add(
      .genericPassword(service: "bank", account: "eva", group: "bank"),
      secret: SecretBytes(utf8: "bank secret"))
    keychain.close()
    keybag.close()
    asker = TestAsker(folder)
    try asker.write()
    options = AgentService.Options(
      idleSeconds: idleSeconds, prompt: asks ? .program(asker.path) : .never,
      secondsToAnswer: secondsToAnswer)
    service = try Self.service(location, folder, options)
    let script =
      "#!/bin/sh\necho \"$SSH_ASKPASS_PROMPT $(cat)\" >>\"$0.asked\"\n"
      + "while test -e \"$0.wait\"; do sleep 0.02; done\ntest -e \"$0.yes\"\n"
    try Script.write(script, to: confirmer, permissions: 0o700)
    try start(secondsForFrame: secondsForFrame)
  }

  deinit {
    server?.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func service(
    _ location: StoreLocation, _ folder: URL, _ options: AgentService.Options
  ) throws -> AgentService {
    try AgentService(
      location, log: AuditLog(in: folder.appendingPathComponent("log")),
      options: options)
  }

  var socket: String { folder.appendingPathComponent("run/agent").path }
  var credentialSocket: String { folder.appendingPathComponent("run/credentials").path }
  var sshSocket: String { folder.appendingPathComponent("run/ssh").path }

  private func start(secondsForFrame: Int64 = 10) throws {
    let server = AgentServer(service, secondsForFrame: secondsForFrame)
    try server.listen(.path(socket))
    try server.listenForCredentials(.path(credentialSocket), manager: geteuid())
    try server.listenForSSH(
      .path(sshSocket), confirmation: .program(confirmer), takesPasscode: true)
    self.server = server
  }

  /// The program that confirms the use of a key. It does so if there is a file `yes`.
  private var confirmer: String { folder.appendingPathComponent("confirm").path }

  /// Ends the agent, and starts another one for the same store.
  func restart() throws {
    server?.stop()
    service = try Self.service(location, folder, options)
    try start()
  }

  /// The number of connections whose request is not answered yet.
  var busyConnections: Int { server?.busyConnections ?? 0 }

  /// Ends the agent's sockets, and locks the store. Its service can be used on.
  func stopListening() {
    server?.stop()
    server = nil
  }

  func connect() throws -> AgentConnection { try AgentConnection(to: socket) }

  func unlock() throws { try connect().send(.unlock(passcode: Self.secret(Self.passcode))) }

  static func secret(_ text: String) -> AgentSecret { AgentSecret(SecretBytes(utf8: text)) }

  /// Grants every program of this user a group.
  @discardableResult
  func grant(_ groups: String..., mayWrite: Bool = false) throws -> AgentGrant {
    try give(
      AgentGrant(AgentEvidence(.user, String(geteuid())), groups: groups, mayWrite: mayWrite))
  }

  /// Gives a grant, and returns it with its number.
  @discardableResult
  func give(_ grant: AgentGrant) throws -> AgentGrant {
    let added: [AgentGrant] = try connect().document(
      .addGrant(grant, passcode: Self.secret(Self.passcode)))
    return try #require(added.first)
  }

  /// The beginning of a script for Python: `head(number)` is what a request with the number of an
  /// operation begins with.
  static let pythonHead = """
    import os
    def head(operation): return bytes([2, operation]) + bytes.fromhex(os.environ["ATREST_TEST_STORE"])

    """

  func text(
    _ key: PrimaryKey, groups: [String] = [], over connection: AgentConnection? = nil
  ) throws -> String? {
    String(copying: try (connection ?? connect()).secret(.get(key, groups: groups)))
  }

  /// Returns the code with which a request is refused, or nil if it is not.
  func refusal(_ request: AgentRequest) -> AtRestError.Code? {
    do {
      try connect().send(request)
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  static func isInstalled(_ program: String) -> Bool {
    ["/usr/bin/", "/usr/sbin/", "/bin/"].contains {
      FileManager.default.isExecutableFile(atPath: $0 + program)
    }
  }

  /// Runs a program, and returns its exit code and output.
  func execute(
    _ program: String, _ arguments: [String], input: String = "",
    with values: [String: String] = [:]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["ATREST_TEST_STORE": service.identity.text]) { $1 }.merging(values) { $1 }
    process.currentDirectoryURL = folder
    let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
    try Data().write(to: output)
    let file = try FileHandle(forWritingTo: output)
    (process.standardOutput, process.standardError) = (file, file)
    let source = folder.appendingPathComponent("input-\(UUID().uuidString)")
    try Data(input.utf8).write(to: source)
    process.standardInput = try FileHandle(forReadingFrom: source)
    try process.launchInTurn()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: try Data(contentsOf: output), as: UTF8.self)
    )
  }

  /// A script for bash that starts a program in the background and prints its number.
  ///
  /// The program gets no further descriptors: Foundation waits for a child until no process has the
  /// one that it gave to the child.
  static func script(starting command: String) -> String {
    """
    for f in /proc/self/fd/*; do f=${f##*/}; ((f > 2)) && eval "exec $f>&-"; done
    \(command) >/dev/null 2>&1 </dev/null & echo $!
    """
  }

  /// Starts a program in the background, and returns its number.
  func start(_ command: String, with values: [String: String] = [:]) throws -> Int32 {
    let text = try execute(
      "/usr/bin/env", ["bash", "-c", Self.script(starting: command)], with: values
    ).text
    return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(text)")
  }
}
