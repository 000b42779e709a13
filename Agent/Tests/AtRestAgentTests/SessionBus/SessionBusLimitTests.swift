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
    #expect(
      text == "LimitsExceeded: The agent could not find out which program asks. Try again.\n([], [])")
  }
}
