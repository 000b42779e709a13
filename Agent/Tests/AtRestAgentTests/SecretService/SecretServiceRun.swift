import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// An agent that is a bus and the Secret Service, and clients of other people, which run as processes and know
/// only the address.
struct SecretServiceRun {
  static let isInstalled =
    AgentRun.isInstalled("secret-tool")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/secretstorage")

  let run: AgentRun
  let program: AgentProgram
  /// The bus on which the clients look for the service, if it is not the agent's own.
  private let bus: TestBus?

  /// - Parameters:
  ///   - isGranted: True to let every program use the items, as other keyrings do.
  ///   - asks: True to ask with the run's program.
  init(isGranted: Bool = true, asks: Bool = false) throws {
    (run, bus) = (try AgentRun(), nil)
    program = try AgentProgram(
      run.location, in: run.folder, asks ? ["--ask", run.asker.path] : [])
    try unlock()
    guard isGranted else { return }
    try grant(mayWrite: true)
  }

  private init(_ run: AgentRun, _ program: AgentProgram) {
    (self.run, self.program, bus) = (run, program, nil)
  }

  /// Starts an unlocked agent on a session's bus, and waits until it is there.
  ///
  /// - Parameters:
  ///   - isGranted: True to let every program without a sandbox use the items.
  ///   - options: More options of the agent.
  init(
    on bus: TestBus, _ run: AgentRun, isGranted: Bool = true, _ options: [String] = []
  ) throws {
    (self.run, self.bus) = (run, bus)
    program = try AgentProgram(run.location, in: run.folder, ["--bus", bus.agentAddress] + options)
    try unlock()
    if isGranted { try grant(mayWrite: true) }
    try #require(try eventually { try bus.owner(of: BusHub.service) != nil })
  }

  /// Starts an unlocked agent in whose environment a session's bus is. The clients are on the agent's own bus.
  ///
  /// - Parameters:
  ///   - address: The address of the session's bus.
  ///   - options: More options of the agent.
  ///   - unlocks: False for an agent that was not unlocked.
  init(
    passingOnTo address: String, _ run: AgentRun, _ options: [String] = [], unlocks: Bool = true
  ) throws {
    (self.run, bus) = (run, nil)
    let environment = [
      "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": run.folder.path + "/none",
    ]
    program = try AgentProgram(run.location, in: run.folder, options, environment: environment)
    guard unlocks else { return }
    try unlock()
    try grant(mayWrite: true)
  }

  /// Kills the agent, and returns the run with another one, which was not unlocked.
  func restarted(asks: Bool = false) throws -> SecretServiceRun {
    program.kill()
    let options = asks ? ["--ask", run.asker.path] : []
    return SecretServiceRun(
      run, try AgentProgram(run.location, in: run.folder.appendingPathComponent("next"), options))
  }

  func grant(mayWrite: Bool) throws {
    try give(
      AgentGrant(
        AgentEvidence(.user, String(geteuid())), groups: ["secret-service"], mayWrite: mayWrite))
  }

  func give(_ grant: AgentGrant) throws {
    try program.connect().send(
      .addGrant(grant, passcode: AgentRun.secret(AgentRun.passcode)))
  }

  func unlock() throws {
    try program.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
  }

  func lock() throws { try program.connect().send(.lock) }

  var socket: String { AgentPlace.secretServiceSocket(beside: program.socket) }

  /// The address of the bus for clients.
  var address: String { bus?.address ?? "unix:path=\(socket)" }

  private var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_DATA_HOME": run.folder.path]
  }

  /// Runs `secret-tool`.
  @discardableResult
  func tool(_ arguments: String..., input: String = "") throws -> (status: Int32, text: String) {
    try run.execute("/usr/bin/secret-tool", arguments, input: input, with: environment)
  }

  /// Runs a script of Python with SecretStorage, and returns what it prints. A connection is in `bus`.
  @discardableResult
  func python(_ script: String) throws -> String {
    let head = """
      import secretstorage, sys
      from secretstorage.exceptions import *
      bus = secretstorage.dbus_init()

      """
    let result = try run.execute("/usr/bin/python3", ["-c", head + script], with: environment)
    try #require(result.status == 0, "\(result.text)")
    return result.text.trimmingCharacters(in: .newlines)
  }

  /// Runs `busctl` on the agent's bus.
  func busctl(_ arguments: String...) throws -> (status: Int32, text: String) {
    try run.execute("/usr/bin/busctl", ["--address=\(address)"] + arguments)
  }
}
