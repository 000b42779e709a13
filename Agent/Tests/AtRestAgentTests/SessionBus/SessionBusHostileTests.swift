import Foundation
import Testing

@testable import AtRestAgent

/// Programs on the session's bus that send the agent what it does not expect. Its connection lasts, and others are
/// served.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct SessionBusHostileTests {
  /// `answer(call)` returns the name of the error with which a call is answered, or the body of the answer.
  private static let head = """
    from jeepney import DBusAddress, HeaderFields, MessageFlag, MessageType, new_method_call, new_signal
    path, name = "/org/freedesktop/secrets", "org.freedesktop.secrets"
    service = DBusAddress(path, name, "org.freedesktop.Secret.Service")
    def answer(call):
      reply = bus.send_and_get_reply(call)
      if reply.header.message_type != MessageType.error: return reply.body
      return reply.header.fields[HeaderFields.error_name].split(".")[-1]

    """

  /// Runs a script of a hostile client, and checks that the agent is where it was, and serves others.
  private func attack(_ script: String) throws -> String {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let secrets = try SecretServiceRun(on: bus, run)
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    let owner = try bus.owner(of: BusHub.service)
    let text = try secrets.python(Self.head + script)
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    #expect(try bus.owner(of: BusHub.service) == owner)
    return text
  }

  @Test func aMessageThatIsTooLargeIsRefusedByAnAnswer() throws {
    let text = try attack(
      """
      print(answer(new_method_call(service, "SearchItems", "ay", (bytes(5 << 20),))))
      print(answer(new_method_call(service, "ReadAlias", "s", ("default",))))
      """)
    #expect(text == "LimitsExceeded\n('/org/freedesktop/secrets/collection/login',)", "\(text)")
  }

  @Test func aHeaderThatIsTooLargeIsSkipped() throws {
    let text = try attack(
      """
      large = DBusAddress("/" + "x" * 200000, name, "org.freedesktop.Secret.Service")
      bus.send(new_method_call(large, "SearchItems"), serial=101)
      bus.send(new_method_call(service, "ReadAlias", "s", ("default",)), serial=102)
      # There is no answer to the first one, as the documentation says.
      reply = bus.receive()
      assert reply.header.fields[HeaderFields.reply_serial] == 102
      print(reply.body)
      """)
    #expect(text == "('/org/freedesktop/secrets/collection/login',)", "\(text)")
  }

  @Test func aMessageWithTooManyValuesIsRefusedByAnAnswer() throws {
    let text = try attack(
      """
      print(answer(new_method_call(service, "SearchItems", "aaaay", ([[[]] * 100000],))))
      print(answer(new_method_call(service, "ReadAlias", "s", ("default",))))
      """)
    #expect(text == "Failed\n('/org/freedesktop/secrets/collection/login',)", "\(text)")
  }

  @Test func messagesThatNobodyExpectsAreSkipped() throws {
    let text = try attack(
      """
      from jeepney.io.blocking import open_dbus_connection
      client = secretstorage.dbus_init()
      def call(path, interface, member, *arguments):
        reply = client.send_and_get_reply(new_method_call(DBusAddress(path, name, interface), member, *arguments))
        assert reply.header.message_type != MessageType.error, reply.body
        return reply.body
      session = call(path, service.interface, "OpenSession", "sv", ("plain", ("s", "")))[1]
      item = call(path, service.interface, "SearchItems", "a{ss}", ({},))[0][0]
      own = client.unique_name
      # The bus would send these when the client ends, and when the agent loses its name.
      for member, arguments in [("NameOwnerChanged", (own, own, "")), ("NameLost", (name,))] * 100:
        signal = new_signal(
          DBusAddress("/", name, "org.freedesktop.DBus"), member, "s" * len(arguments), arguments)
        signal.header.fields[HeaderFields.destination] = name
        bus.send(signal)
      answer(new_method_call(service, "ReadAlias", "s", ("default",)))
      print(call(item, "org.freedesktop.Secret.Item", "GetSecret", "o", (session,))[0][2])
      # An announcement of the agent shows that it knows that it has its name.
      rule = "type='signal',member='CollectionCreated'"
      bus.send_and_get_reply(new_method_call(
        DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus"), "AddMatch", "s", (rule,)))
      label = {"org.freedesktop.Secret.Collection.Label": ("s", "Work")}
      call(path, service.interface, "CreateCollection", "a{sv}s", (label, ""))
      print(bus.receive(timeout=20).header.fields[HeaderFields.member])
      """)
    #expect(text == "b'mail secret'\nCollectionCreated", "\(text)")
  }

  /// The calls of one program wait for each other, up to a number, and each gets an answer.
  @Test func callsAtOnceAreAllAnswered() throws {
    let text = try attack(
      """
      count = 500
      for n in range(count): bus.send(new_method_call(service, "ReadAlias", "s", ("default",)))
      kinds = [bus.receive().header.message_type for n in range(count)]
      print(len(kinds), MessageType.method_return in kinds)
      """)
    #expect(text == "500 True", "\(text)")
  }
}
