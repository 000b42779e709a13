import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The name of the Secret Service on the session's bus, which another keyring may have.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct SessionBusNameTests {
  /// Starts a program that has the name, and returns its number.
  private func startOwner(_ bus: TestBus, _ run: AgentRun, flags: Int) throws -> Int32 {
    let script = run.folder.appendingPathComponent("owner.py")
    try Data(
      """
      import sys, time
      from jeepney import DBusAddress, new_method_call
      from jeepney.io.blocking import open_dbus_connection
      bus = open_dbus_connection(sys.argv[1])
      dbus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
      name = ("org.freedesktop.secrets", int(sys.argv[2]))
      assert bus.send_and_get_reply(new_method_call(dbus, "RequestName", "su", name)).body == (1,)
      while True: bus.receive()
      """.utf8
    ).write(to: script)
    let process = try run.start(
      "/usr/bin/python3 '\(script.path)' '\(bus.address)' \(flags)")
    try #require(try eventually { try bus.owner(of: BusHub.service) != nil })
    return process
  }

  /// Starts an agent that has not the name.
  private func start(_ bus: TestBus, _ run: AgentRun, _ options: String...) throws -> AgentProgram {
    try AgentProgram(
      run.location, in: run.folder, ["--bus", bus.agentAddress] + options)
  }

  @Test func anotherKeyringKeepsTheNameUntilItEnds() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    // Even if it would let others replace it.
    let keyring = try startOwner(bus, run, flags: 1)
    defer { kill(keyring, SIGKILL) }
    let owner = try bus.owner(of: BusHub.service)
    let program = try start(bus, run)
    #expect(eventually { program.messages.contains("Another keyring is org.freedesktop.secrets") })
    #expect(program.messages.contains("--replace"))
    #expect(try bus.owner(of: BusHub.service) == owner)
    kill(keyring, SIGKILL)
    #expect(eventually { program.messages.contains("on the session's bus is this agent") })
    #expect(try bus.owner(of: BusHub.service) != nil)
  }

  @Test func replaceTakesTheName() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let keyring = try startOwner(bus, run, flags: 1)
    defer { kill(keyring, SIGKILL) }
    let owner = try bus.owner(of: BusHub.service)
    let program = try start(bus, run, "--replace")
    #expect(eventually { program.messages.contains("on the session's bus is this agent") })
    #expect(try bus.owner(of: BusHub.service) != owner)
  }

  /// The bus would start it for the first client.
  @Test func aKeyringThatTheBusStartsKeepsTheName() throws {
    let run = try AgentRun()
    let bus = try TestBus(run, activatable: BusHub.service)
    let program = try start(bus, run)
    #expect(eventually { program.messages.contains("Another keyring is org.freedesktop.secrets") })
    #expect(try bus.owner(of: BusHub.service) == nil)
  }

  @Test func aBusThatStartsAgainIsJoinedAgain() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let secrets = try SecretServiceRun(on: bus, run)
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    try bus.end()
    #expect(eventually { secrets.program.messages.contains("The connection to the bus failed") })
    try bus.start()
    #expect(try eventually { try bus.owner(of: BusHub.service) != nil })
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
  }

  @Test func theCommandThatStartsTheAgentNamesTheBus() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let atrest = try CommandLineProgram(run)
    let started = try atrest("agent", "start", "--bus", bus.agentAddress)
    defer { _ = try? atrest("agent", "stop") }
    #expect(started.status == 0, "\(started)")
    #expect(try eventually { try bus.owner(of: BusHub.service) != nil })
    // The options of the agent that runs are these.
    #expect(try atrest("agent", "start", "--bus", bus.agentAddress).status == 0)
    #expect(try atrest("agent", "start", "--bus", "session").text.contains("has other options"))
    #expect(try atrest("agent").text.contains("bus        \(bus.agentAddress)\n"))
    #expect(try atrest("agent", "stop").status == 0)
    let refused = try atrest("agent", "start", "--bus", "tcp:host=localhost")
    #expect(refused.status != 0 && refused.text.contains("has no path"), "\(refused)")
  }

  @Test func theCommandThatStartsTheAgentReplacesAKeyring() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let keyring = try startOwner(bus, run, flags: 1)
    defer { kill(keyring, SIGKILL) }
    let owner = try bus.owner(of: BusHub.service)
    let atrest = try CommandLineProgram(run)
    let start = ["agent", "start", "--bus", bus.agentAddress]
    defer { _ = try? atrest("agent", "stop") }
    // Control: an agent without the option leaves the name alone.
    #expect(try atrest(start).status == 0)
    #expect(try bus.owner(of: BusHub.service) == owner)
    #expect(try atrest(start + ["--replace"]).text.contains("has other options"))
    #expect(try atrest("agent", "stop").status == 0)
    let started = try atrest(start + ["--replace"])
    #expect(started.status == 0, "\(started)")
    #expect(try eventually { try ![nil, owner].contains(bus.owner(of: BusHub.service)) })
    #expect(try atrest(start + ["--replace"]).status == 0)
    #expect(try atrest("agent").text.contains("bus        \(bus.agentAddress) --replace\n"))
    let refused = try atrest("agent", "start", "--replace")
    #expect(refused.status == 2 && refused.text.contains("needs --bus"), "\(refused)")
  }

  @Test func theDelayAfterAnOutageIsShort() {
    var delay = ReconnectDelay()
    let delays = (0..<9).map { _ in delay.next(after: .zero) }
    #expect(
      delays
        == [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000].map { .milliseconds($0) })
    // A connection that lasts no longer than the delay makes no attempt earlier.
    #expect(delay.next(after: .seconds(5)) == .seconds(5))
    // One that lasted is a bus that works.
    #expect(delay.next(after: .seconds(6)) == .milliseconds(100))
    #expect(delay.next(after: .zero) == .milliseconds(200))
  }

  @Test func aVariableNamesTheService() throws {
    let options = try SessionBusOptions(
      bus: "session", replaces: false, environment: ["SECRET_SERVICE_BUS_NAME": "org.example.Test"])
    #expect(options.name == "org.example.Test")
  }

  @Test func aNameThatNoProgramCanHaveIsRefused() {
    let error = #expect(throws: AtRestError.self) {
      try SessionBusOptions(
        bus: "session", replaces: false, environment: ["SECRET_SERVICE_BUS_NAME": "secrets"])
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func theBusOfTheEnvironmentComesFirst() throws {
    let address = try SessionBusAddress(
      nil,
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/run/user/7"])
    #expect(address.addresses == ["unix:path=/a", "unix:path=/run/user/7/bus"])
  }

  @Test func anAddressWithoutAPathIsRefused() {
    let error = #expect(throws: AtRestError.self) {
      try SessionBusAddress("tcp:host=localhost")
    }
    #expect(error?.code == .invalidArgument)
  }

  /// A shell's profile may set the variable to the agent's own bus.
  @Test func theAgentsOwnBusIsNotTheSessions() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let socket = try BusSocket(to: bus.address, seconds: 10)
    let address = try SessionBusAddress(bus.address)
    let error = #expect(throws: AtRestError.self) { try address.connect(otherThan: socket.guid) }
    #expect(error?.code == .notFound)
    #expect(try address.connect(otherThan: "another").guid == socket.guid)
  }

  /// An agent joins a session's bus only if it is told to.
  @Test func aBusIsJoinedOnlyIfOneIsNamed() throws {
    let (run, other) = (try AgentRun(), try AgentRun())
    let bus = try TestBus(run)
    let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.agentAddress]
    let silent = try AgentProgram(run.location, in: run.folder, environment: environment)
    let told = try AgentProgram(
      other.location, in: other.folder, ["--bus", "session"], environment: environment)
    let text = "org.freedesktop.secrets on the session's bus"
    #expect(eventually { told.messages.contains(text) })
    #expect(told.messages.contains("\(text) is this agent"), "\(told.messages)")
    #expect(!silent.messages.contains(text))
  }

  @Test func anAddressInTheEnvironmentWithoutAPathIsNamed() throws {
    let run = try AgentRun()
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=localhost"]
    let program = try AgentProgram(
      run.location, in: run.folder, ["--bus", "session"], environment: environment)
    #expect(eventually { program.messages.contains("DBUS_SESSION_BUS_ADDRESS is left out") })
  }
}
