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

  /// libsecret shows the list of a signal, and none if a signal only says that the former one is outdated.
  @Test func whoeverWasGivenTheListIsGivenTheNextOne() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      import jeepney
      from jeepney.io.blocking import open_dbus_connection
      from jeepney.bus_messages import message_bus
      path, name = "/org/freedesktop/secrets/collection/login", "org.freedesktop.secrets"
      rule = jeepney.MatchRule(type="signal", sender=name)
      listed, other = open_dbus_connection(), open_dbus_connection()
      for client in (listed, other): client.send_and_get_reply(message_bus.AddMatch(rule))
      collection = jeepney.DBusAddress(path, name, "org.freedesktop.Secret.Collection")
      before = listed.send_and_get_reply(jeepney.Properties(collection).get("Items")).body[0][1]
      login = secretstorage.get_default_collection(bus)
      first, second = [login.create_item("a", {"k": k}, b"1") for k in "xy"]
      first.set_label("b")
      first.delete()
      # The last change of which both are told.
      secretstorage.create_collection(bus, "end")
      def signals(client):
        while True:
          message = client.receive(timeout=60)
          member, body = message.header.fields[jeepney.HeaderFields.member], message.body
          if member == "PropertiesChanged": yield body[1].get("Items", ("", []))[1], body[2]
          if member == "PropertiesChanged" and "Collections" in body[1]: return
      changes = list(signals(listed))
      paths = [item.item_path for item in (first, second)]
      print([[p for p in items if p not in before] == wanted for (items, _), wanted in
        zip(changes, [paths[:1], paths, paths[1:], []])], len(changes), any(o for _, o in changes))
      # Whoever has not read the list is told of no list.
      print([items for items, _ in signals(other)])
      """)
    #expect(
      text.split(separator: "\n") == ["[True, True, True, True] 4 False", "[[]]"], "\(text)")
  }

  /// A client wants every signal, and reads none. Nobody waits for it.
  @Test func aClientThatDoesNotReadHindersNobody() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      from jeepney.io.blocking import open_dbus_connection
      import jeepney
      deaf = []
      for _ in range(3):
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
