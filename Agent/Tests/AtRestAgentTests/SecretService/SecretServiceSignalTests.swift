import Foundation
import Testing

/// Clients learn what others change, and hostile clients keep nobody from it.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServiceSignalTests {
  @Test func aChangeIsAnnounced() throws {
    let secrets = try SecretServiceRun()
    let lines = try secrets.run.execute(
      "/bin/sh",
      [
        "-c",
        """
        export DBUS_SESSION_BUS_ADDRESS=unix:path='\(secrets.socket)'
        /usr/bin/python3 - <<'END'
        import secretstorage, jeepney
        from jeepney.io.blocking import open_dbus_connection
        other = open_dbus_connection()
        rule = jeepney.MatchRule(type="signal", sender="org.freedesktop.secrets")
        other.send_and_get_reply(jeepney.bus_messages.message_bus.AddMatch(rule))
        bus = secretstorage.dbus_init()
        item = secretstorage.get_default_collection(bus).create_item("a", {"k": "v"}, b"1")
        item.set_label("b")
        item.delete()
        names = []
        while "ItemDeleted" not in names:
          message = other.receive(timeout=60)
          fields = message.header.fields
          names.append(fields[jeepney.HeaderFields.member])
        print(" ".join(name for name in names if name.startswith("Item")))
        END
        """,
      ])
    #expect(lines.text == "ItemCreated ItemChanged ItemDeleted\n", "\(lines)")
  }

  /// A client that wants every signal, and reads none, loses its connection. Nobody waits for it.
  @Test func aClientThatDoesNotReadHindersNobody() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      from jeepney.io.blocking import open_dbus_connection
      import jeepney
      deaf = []
      for _ in range(4):
        other = open_dbus_connection()
        for n in range(250):
          other.send_and_get_reply(jeepney.bus_messages.message_bus.AddMatch("type='signal',arg9='%d'" % n))
        other.send_and_get_reply(jeepney.bus_messages.message_bus.AddMatch("type='signal'"))
        deaf.append(other)
      c = secretstorage.get_default_collection(bus)
      for n in range(100): c.create_item("x" * 1000, {"k": str(n)}, b"1")
      print(len(list(c.search_items({"k": "7"}))))
      fresh = open_dbus_connection()
      add = lambda n: fresh.send_and_get_reply(jeepney.bus_messages.message_bus.AddMatch("arg1='%d'" % n))
      print(["at most" in str(add(n).body) for n in range(257)].index(True))
      """)
    #expect(text.split(separator: "\n") == ["1", "256"])
  }

  @Test func sessionsAreBounded() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      from jeepney import DBusAddress, new_method_call
      service = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
      def open():
        return bus.send_and_get_reply(new_method_call(service, "OpenSession", "sv", ("plain", ("s", ""))))
      answers = [open() for _ in range(70)]
      print(sum(a.header.message_type.name == "method_return" for a in answers), answers[-1].body)
      path = answers[0].body[1]
      session = DBusAddress(path, "org.freedesktop.secrets", "org.freedesktop.Secret.Session")
      print(bus.send_and_get_reply(new_method_call(session, "Close")).header.message_type.name)
      print(open().header.message_type.name)
      """)
    let lines = text.split(separator: "\n")
    #expect(
      lines.count == 3 && lines[0].hasPrefix("64 ") && lines[0].contains("at most 64"), "\(text)")
    #expect(lines.last == "method_return")
  }

  /// A window that shows a keyring learns that it was locked.
  @Test func aLockIsAnnounced() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      import jeepney, subprocess
      from jeepney.io.blocking import open_dbus_connection
      other = open_dbus_connection()
      rule = jeepney.MatchRule(type="signal", path="/org/freedesktop/secrets/collection/login")
      other.send_and_get_reply(jeepney.bus_messages.message_bus.AddMatch(rule))
      service = jeepney.DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
      bus.send_and_get_reply(jeepney.new_method_call(service, "Lock", "ao", (["/org/freedesktop/secrets/collection/login"],)))
      print(other.receive(timeout=60).body[1])
      """)
    #expect(text == "{'Locked': ('b', True)}")
  }
}
