@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Buses and programs on them that send what they should not, and clients that may not reach them.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct BusRelayHostileTests {
  /// `attack()` calls a program of the bus, and returns what comes with the answer to it.
  private static let client =
    TestService.head + """
      def attack():
        number, seen = next(bus.outgoing_serial), []
        bus.send(new_method_call(service, "Attack"), serial=number)
        while True:
          message = bus.receive(timeout=30)
          fields = message.header.fields
          if fields.get(HeaderFields.reply_serial) == number: return seen, message.body
          # The agent's own signals of a new item come when they come.
          name = fields.get(HeaderFields.member) or fields[HeaderFields.reply_serial]
          if name not in ("ItemCreated", "CollectionChanged", "PropertiesChanged"): seen.append(name)

      """

  @Test func nobodySpeaksInTheNameOfTheSecretService() throws {
    let run = try AgentRun()
    let bus = try HostileBus(
      run,
      """
      for number in range(1, 60):
        if number == call.header.serial: continue
        for sender in ("org.freedesktop.secrets", ":0.0", ":1.5", "org.freedesktop.DBus"): reply(number, sender)
      reply(call.header.serial, "org.freedesktop.secrets")
      reply(call.header.serial, ":0.0")
      reply(call.header.serial, ":1.5", destination=":1.78")
      reply(call.header.serial, None)
      for sender in ("org.freedesktop.secrets", ":0.0", ":0.5", None): signal(sender, "Forged")
      signal(":1.5", "Forged", path="/org/freedesktop/secrets/collection/login")
      signal(":1.5", "Forged", interface="org.freedesktop.Secret.Item")
      signal(":1.5", "Forged", destination=":1.78")
      for names in (("org.freedesktop.secrets", ":0.0", ""), ("org.example.A", "", ":0.0"), (":0.0", ":0.0", "")):
        signal("org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus", "org.freedesktop.DBus", "sss", names)
      signal("org.freedesktop.DBus", "NameLost", "/org/freedesktop/DBus", "org.freedesktop.DBus", "s", ("org.freedesktop.secrets",))
      # Control: what anybody may say.
      signal(":1.5", "Tick")
      signal("org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus", "org.freedesktop.DBus", "sss", ("org.example.A", "", ":1.5"))
      """)
    defer { bus.end() }
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.client + """
        print(bus.unique_name, ask(bus, "AddMatch", "s", ("type='signal'",)))
        item = secretstorage.get_default_collection(bus).create_item("A", {"a": "b"}, b"own secret")
        print(*attack())
        print(item.get_secret())
        """)
    #expect(
      text.split(separator: "\n") == [
        ":1.77 ()", "['Tick', 'NameOwnerChanged'] ('true',)", "b'own secret'",
      ], "\(text)")
  }

  @Test func whatIsTooLargeOrMalformedIsSkippedOrEndsTheBusAlone() throws {
    let run = try AgentRun()
    let bus = try HostileBus(
      run,
      """
      signal(":1.5", "Large", signature="ay", body=(bytes(5 << 20),))
      signal(":1.5", "Path", path="/" + "x" * (5 << 20))
      reply(call.header.serial + 7, ":1.5", "x" * (5 << 20))
      signal(":1.5", "Tick")
      if call.body == ("large",): reply(call.header.serial, ":1.5", "x" * (5 << 20))
      if call.body == ("malformed",): sock.sendall(b"l" + bytes(1 << 16))
      if call.body == ("header",): sock.sendall(b"l\\x04\\x00\\x01" + b"\\xff" * 4096)
      """)
    defer { bus.end() }
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.client + """
        print(*attack())
        print(call(bus, "Echo", "s", ("large",)), call(bus, "Echo", "s", ("a",)))
        print(call(bus, "Echo", "ay", (bytes(2 << 20),)), call(bus, "Echo", "s", ("a",)))
        for word in ("malformed", "header"):
          bus = secretstorage.dbus_init()
          print(call(bus, "Echo", "s", (word,)), call(bus, "Echo", "s", ("a",)), answer(bus, secrets, "ReadAlias", "s", ("none",)))
        """)
    let ended = "NoReply ServiceUnknown ('/',)"
    #expect(
      text.split(separator: "\n") == [
        "['Tick'] ('true',)", "LimitsExceeded ('true',)", "LimitsExceeded ('true',)", ended[...],
        ended[...],
      ], "\(text)")
  }

  /// A bus that gives too long a name is not used, also if the name is so long that its message needs shared memory.
  @Test(arguments: ["':1.' + '7' * 300", "':1.' + '7' * 40000"])
  func aNameThatIsTooLongIsNone(_ name: String) throws {
    let run = try AgentRun()
    let bus = try HostileBus(run, name: name)
    defer { bus.end() }
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.client + """
        print(len(bus.unique_name) < 256, call(bus, "Echo", "s", ("a",)))
        print(answer(bus, secrets, "ReadAlias", "s", ("none",)))
        """)
    #expect(text == "True ServiceUnknown\n('/',)", "\(text)")
  }

  /// A call of the Secret Service has a secret. It goes to the agent or to nobody.
  @Test func whatIsAboutSecretsIsNeverPassedOn() throws {
    let run = try AgentRun()
    let bus = try HostileBus(run)
    defer { bus.end() }
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.client + """
        kind = "org.freedesktop.Secret.Service"
        def say(name, path, interface, member):
          message = new_method_call(DBusAddress(path, name or "a.b", interface), member, "s", ("secret",))
          if not name: del message.header.fields[HeaderFields.destination]
          reply = bus.send_and_get_reply(message, timeout=30)
          if reply.header.message_type != MessageType.error: return reply.body
          return reply.header.fields[HeaderFields.error_name].split(".")[-1]
        for name in (None, "org.freedesktop.DBus", ":1.5", "org.example.Keyring"):
          for path, interface in (("/org/freedesktop/secrets", kind), ("/", kind), ("/org/freedesktop/secrets/a", None)):
            print(say(name, path, interface, "SearchItems"), end=" ")
          print()
        print(say(None, "/", "org.example.Test", "Anything"))
        print(say("org.example.Keyring", "/", "org.example.Test", "Control"))
        """)
    let (unknown, denied) = ("UnknownMethod ", "AccessDenied ")
    let lines = [unknown, unknown, denied, denied].map { String(repeating: $0, count: 3) }
    #expect(
      text.split(separator: "\n").map(String.init) == lines + ["UnknownMethod", "('true',)"],
      "\(text)")
  }

  /// On the session's bus a client is the process of the agent, whom it could not tell from others.
  @Test func theAgentIsNotReachedByItsNameOnTheOtherBus() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run, ["--bus", bus.address])
    try #require(try eventually { try bus.owner(of: BusHub.service) != nil })
    let text = try secrets.python(
      TestService.head + """
        from jeepney.io.blocking import open_dbus_connection
        other = open_dbus_connection("\(bus.address)")
        name = ask(other, "GetNameOwner", "s", ("org.freedesktop.secrets",))[0]
        def introspect(bus): return answer(bus, DBusAddress("/", name, "org.freedesktop.DBus.Introspectable"), "Introspect")
        print(answer(bus, DBusAddress(secrets.object_path, name, secrets.interface), "ReadAlias", "s", ("default",)))
        print(introspect(bus), "node" in introspect(other)[0])
        """)
    #expect(text == "AccessDenied\nAccessDenied True", "\(text)")
  }

  /// It would reach more than its sandbox lets through.
  @Test(.enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare and user namespaces"))
  func aProgramInASandboxReachesNobodyElse() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let script =
      TestService.head + """
        import os
        # In its user namespace the program seems to be root.
        os.getuid = os.geteuid = lambda: \(geteuid())
        import secretstorage
        bus = secretstorage.dbus_init()
        print(call(bus, "Echo", "s", ("a",)), bus.unique_name[:3])
        """
    let values = ["DBUS_SESSION_BUS_ADDRESS": secrets.address]
    let inside = try run.execute(
      "/usr/bin/unshare", ["-Urm", "/usr/bin/python3", "-c", script], with: values)
    #expect(inside.text == "ServiceUnknown :0.\n", "\(inside)")
    #expect(service.calls.isEmpty)
    let outside = try run.execute("/usr/bin/python3", ["-c", script], with: values)
    #expect(outside.text == "('a',) :1.\n", "\(outside)")
  }

  /// What a program sends to clients that do not read stays with the bus.
  @Test func aFloodTakesLittleMemory() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    func memory() throws -> Int {
      let status = try String(
        contentsOfFile: "/proc/\(secrets.program.identifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
      return try #require(Int(line.filter(\.isNumber)))
    }
    #expect(try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail").status == 0)
    let before = try memory()
    let text = try secrets.python(
      TestService.head + """
        silent = [secretstorage.dbus_init() for _ in range(4)]
        for client in silent: ask(client, "AddMatch", "s", ("interface='org.example.Test'",))
        # Each gets 16 MiB.
        print(call(bus, "Emit", "uu", (64, 256 << 10)))
        """)
    #expect(text == "()")
    let after = try memory()
    #expect(after - before < 24 << 10, "\(before) \(after)")
    #expect(service.calls == ["Emit"])
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail")
  }
}
