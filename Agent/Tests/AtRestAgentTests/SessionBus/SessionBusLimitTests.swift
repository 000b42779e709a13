import Foundation
import Testing

@testable import AtRestAgent

/// Programs on the session's bus cannot use up what the agent needs for others.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct SessionBusLimitTests {
  /// `result(reply)` is the name of an error, or the body.
  private static let head = """
    import array, os, select, socket
    from jeepney import DBusAddress, HeaderFields, MessageFlag, MessageType, new_method_call
    from jeepney.io.blocking import open_dbus_connection
    address = os.environ["DBUS_SESSION_BUS_ADDRESS"]
    path, name = "/org/freedesktop/secrets", "org.freedesktop.secrets"
    service = DBusAddress(path, name, "org.freedesktop.Secret.Service")
    alias = lambda: new_method_call(service, "ReadAlias", "s", ("default",))
    def result(reply):
      if reply.header.message_type != MessageType.error: return reply.body
      return reply.header.fields[HeaderFields.error_name].split(".")[-1] + ": " + reply.body[0]

    """

  private static let tryAgain =
    "LimitsExceeded: The agent could not find out which program asks. Try again."
  private static let found = "('/org/freedesktop/secrets/collection/login',)"

  private func start(_ knowledge: TestBus.Knowledge) throws -> (TestBus, SecretServiceRun) {
    let run = try AgentRun()
    let bus = try TestBus(run, knowledge)
    return (bus, try SecretServiceRun(on: bus, run))
  }

  /// While the bus does not say which program calls, its calls wait.
  @Test func aDescriptorThatNoMethodTakesIsClosed() throws {
    let (_, secrets) = try start(.silence)
    let text = try secrets.python(
      Self.head + """
        bus = open_dbus_connection(address, enable_fds=True)
        call = new_method_call(DBusAddress(path, name, "org.freedesktop.DBus.Introspectable"), "Introspect")
        call.header.fields[HeaderFields.unix_fds] = 1
        read, write = os.pipe()
        data = call.serialise(serial=7)
        bus.sock.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [write]))])
        os.close(write)
        print("closed" if select.select([read], [], [], 20)[0] else "open")
        """)
    #expect(text == "closed")
  }

  /// It came while the agent had no room for it. The program must not count as one in a sandbox from then on.
  @Test func aDescriptorOfAProcessThatDidNotArriveIsAskedForAgain() throws {
    let (_, secrets) = try start(.loss)
    let text = try secrets.python(
      Self.head + """
        search = lambda: new_method_call(service, "SearchItems", "a{ss}", ({},))
        print(result(bus.send_and_get_reply(search())))
        print(result(bus.send_and_get_reply(search())))
        """)
    #expect(text == Self.tryAgain + "\n([], [])", "\(text)")
  }

  /// A program of which nothing is known yet could be any number of connections.
  @Test func oneCallWaitsForACallerThatIsNotKnown() throws {
    let (_, secrets) = try start(.silence)
    let text = try secrets.python(
      Self.head + """
        bus.send(alias(), serial=101)
        bus.send(alias(), serial=102)
        reply = bus.receive(timeout=20)
        print(reply.header.fields[HeaderFields.reply_serial], result(reply).split(":")[0])
        """)
    #expect(text == "102 LimitsExceeded")
  }

  @Test func sixtyFourCallersAreUnknownAtOnce() throws {
    let (bus, secrets) = try start(.silence)
    let text = try secrets.python(
      Self.head + """
        others = [secretstorage.dbus_init() for n in range(64)]
        # The second call of a connection is refused, so the agent has the first.
        for other in others:
          other.send(alias(), serial=101)
          other.send(alias(), serial=102)
          assert other.receive(timeout=20).header.fields[HeaderFields.reply_serial] == 102
        print(result(bus.send_and_get_reply(alias(), timeout=20)).split(":")[0])
        os.unlink("\(bus.folder.path)/silent")
        # The time of the others ends.
        while True:
          reply = result(bus.send_and_get_reply(alias(), timeout=20))
          if type(reply) is tuple: break
        print(reply)
        """)
    #expect(text == "LimitsExceeded\n\(Self.found)", "\(text)")
  }

  /// Connections of which the agent knows nothing hold one call each, and few of them.
  @Test func callersThatAreNotKnownTakeLittleMemory() throws {
    let (_, secrets) = try start(.silence)
    let before = try memory(of: secrets.program.identifier)
    let text = try secrets.python(
      Self.head + """
        introspectable = DBusAddress(path, name, "org.freedesktop.DBus.Introspectable")
        call = new_method_call(introspectable, "Introspect", "av", ([("y", 1)] * 930,))
        call.header.flags = MessageFlag.no_reply_expected
        data = call.serialise(serial=7) * 64
        for other in [secretstorage.dbus_init() for n in range(60)]:
          other.sock.sendall(data)
          # The agent has read the others.
          assert result(other.send_and_get_reply(alias())).startswith("LimitsExceeded")
        print("refused")
        """)
    #expect(text == "refused")
    let growth = try memory(of: secrets.program.identifier) - before
    #expect(growth < 40 << 10, "\(growth) KiB")
  }

  /// The most memory that a process had, in KiB.
  private func memory(of process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(
      line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
  }

  @Test(.timeLimit(.minutes(1))) func aCallerOfWhichTheBusSaysNothingGetsAnAnswer() throws {
    let (bus, secrets) = try start(.silence)
    let text = try secrets.python(
      Self.head + """
        print(result(bus.send_and_get_reply(alias(), timeout=30)))
        os.unlink("\(bus.folder.path)/silent")
        print(result(bus.send_and_get_reply(alias(), timeout=30)))
        """)
    #expect(text == "\(Self.tryAgain)\n\(Self.found)", "\(text)")
  }

  /// The portal has one connection for all applications.
  @Test func aLockWaitsForNoQuestion() throws {
    let scene = try AskingScene()
    let text = try scene.python(
      Self.head + """
        bus = open_dbus_connection(address)
        bus.send_and_get_reply(alias())
        bus.send(new_method_call(service, "SearchItems", "a{ss}", ({"service": "mail"},)), serial=100)
        for n in range(70): bus.send(alias(), serial=1000 + n)
        bus.send(new_method_call(DBusAddress(path, name, "org.freedesktop.DBus.Peer"), "Ping"), serial=101)
        bus.send(new_method_call(service, "Lock", "ao", ([path],)), serial=102)
        answered = set()
        while not {101, 102} <= answered:
          reply = bus.receive(timeout=20)
          assert reply.header.fields.get(HeaderFields.reply_serial) != 100
          if reply.header.message_type == MessageType.method_return:
            answered.add(reply.header.fields[HeaderFields.reply_serial])
        print("answered")
        """)
    #expect(text == "answered\n", "\(text)")
  }
}

/// An agent on a bus that was not unlocked, and asks the user, who does not answer.
private struct AskingScene {
  let program: AgentProgram
  private let run: AgentRun
  private let bus: TestBus

  init() throws {
    run = try AgentRun()
    bus = try TestBus(run)
    try run.asker.set("wait")
    program = try AgentProgram(
      run.location, in: run.folder, ["--bus", bus.agentAddress, "--ask", run.asker.path])
    let bus = bus
    try #require(try eventually { try bus.owner(of: BusHub.service) != nil })
  }

  func python(_ script: String) throws -> String {
    defer { run.asker.clear("wait") }
    return try run.execute(
      "/usr/bin/python3", ["-c", script], with: ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    ).text
  }
}
