@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The agent's own bus beside a session's bus: other programs are found on it, and the Secret Service is the agent.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct BusRelayTests {
  private struct Scene {
    let run: AgentRun
    let bus: TestBus
    let secrets: SecretServiceRun
    let service: TestService

    init() throws {
      run = try AgentRun()
      bus = try TestBus(run)
      service = try TestService(bus, run)
      secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    }

    func python(_ script: String) throws -> String {
      try secrets.python(TestService.head + script)
    }
  }

  /// Programs of three libraries, with one variable for both.
  @Test func otherProgramsAreCalledBesideSecrets() throws {
    let scene = try Scene()
    let (run, secrets) = (scene.run, scene.secrets)
    let values = ["DBUS_SESSION_BUS_ADDRESS": secrets.address]
    #expect(try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail").status == 0)
    let name = "org.example.Service"
    let busctl = try secrets.busctl(
      "call", name, "/org/example", "org.example.Test", "Echo", "s", "a")
    #expect(busctl.text == "s \"a\"\n", "\(busctl)")
    let gdbus = try run.execute(
      "/usr/bin/gdbus",
      [
        "call", "--session", "--dest", name, "--object-path", "/org/example", "--method",
        "org.example.Test.Echo", "b",
      ], with: values)
    #expect(gdbus.text == "('b',)\n", "\(gdbus)")
    let send = try run.execute(
      "/usr/bin/dbus-send",
      [
        "--session", "--print-reply=literal", "--dest=" + name, "/org/example",
        "org.example.Test.Echo", "string:c",
      ], with: values)
    #expect(send.text.trimmingCharacters(in: .whitespacesAndNewlines) == "c", "\(send)")
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail")
    let refused = try secrets.busctl("call", name, "/org/example", "org.example.Test", "Other")
    #expect(refused.status != 0 && refused.text.contains("refused"), "\(refused)")
    #expect(scene.service.calls.filter { $0 == "Echo" }.count == 3)
  }

  /// Control: without a session's bus, and with the option that names none.
  @Test func withoutASessionsBusThereIsNobodyElse() throws {
    for options in [[], ["--bus", "none"]] {
      let run = try AgentRun()
      let bus = try TestBus(run)
      let service = try TestService(bus, run)
      let address = options.isEmpty ? "unix:path=\(run.folder.path)/nobody" : bus.address
      let secrets = try SecretServiceRun(passingOnTo: address, run, options)
      let text = try secrets.python(
        TestService.head + """
          print(call(bus, "Echo", "s", ("a",)), answer(bus, secrets, "ReadAlias", "s", ("default",)))
          print(ask(bus, "ListNames")[0][:3])
          """)
      #expect(
        text.split(separator: "\n") == [
          "ServiceUnknown ('/org/freedesktop/secrets/collection/login',)",
          "['org.freedesktop.DBus', 'org.freedesktop.secrets', ':0.0']",
        ], "\(text)")
      #expect(service.calls.isEmpty)
    }
  }

  /// The name of a client is that which other programs see, because they make paths of it.
  @Test func theNamesAreThoseOfBothBuses() throws {
    let scene = try Scene()
    let text = try scene.python(
      """
      print(call(bus, "Who") == (bus.unique_name,), ask(bus, "GetNameOwner", "s", (bus.unique_name,)) == (bus.unique_name,))
      names = ask(bus, "ListNames")[0]
      wanted = ["org.freedesktop.DBus", "org.freedesktop.secrets", ":0.0", "org.example.Service", bus.unique_name]
      print([names.count(name) for name in wanted])
      print(ask(bus, "ListActivatableNames")[0].count("org.freedesktop.secrets"))
      print(ask(bus, "GetNameOwner", "s", ("org.freedesktop.secrets",)), ask(bus, "NameHasOwner", "s", ("org.example.Service",)))
      print(ask(bus, "NameHasOwner", "s", ("org.example.Other",)), ask(bus, "RequestName", "su", ("org.freedesktop.secrets", 4)))
      """)
    #expect(
      text.split(separator: "\n") == [
        "True True", "[1, 1, 1, 1, 1]", "1", "(':0.0',) (True,)", "(False,) AccessDenied",
      ], "\(text)")
    #expect(try scene.bus.owner(of: BusHub.service) == nil)
  }

  /// A call goes to a client by its own name and by the one that it took. A call that cannot be passed on is refused,
  /// and so is one whose answer cannot.
  @Test func aClientIsAServiceOfOthers() throws {
    let scene = try Scene()
    let text = try scene.python(
      """
      import threading
      from jeepney.io.blocking import open_dbus_connection
      print(ask(bus, "RequestName", "su", ("org.example.Client", 4)))
      def serve():
        for size in (0, 0, 0, 2 << 20):
          while True:
            message = bus.receive()
            if message.header.message_type == MessageType.method_call: break
          bus.send(new_method_return(message, "s", ("served" + "x" * size,)))
      thread = threading.Thread(target=serve)
      thread.start()
      other = open_dbus_connection("\(scene.bus.address)")
      def say(name, size, path="/"):
        return answer(other, DBusAddress(path, name, "org.example.Test"), "Serve", "ay", (bytes(size),))
      print(say("org.example.Client", 0), say(bus.unique_name, 0))
      print(say("org.example.Client", 5 << 20), say("org.example.Client", 5 << 20, "/" + "x" * (40 << 10)))
      print(say("org.example.Client", 3 << 20, "/" + "x" * (100 << 10)), say("org.example.Client", 0))
      thread.join()
      """)
    #expect(
      text.split(separator: "\n") == [
        "(1,)", "('served',) ('served',)", "LimitsExceeded LimitsExceeded",
        "('served',) LimitsExceeded",
      ], "\(text)")
  }

  @Test func signalsAreThoseThatAClientWants() throws {
    let scene = try Scene()
    let text = try scene.python(
      """
      def ticks():
        number, seen = next(bus.outgoing_serial), []
        bus.send(new_method_call(service, "Emit", "uu", (2, 9)), serial=number)
        while True:
          message = bus.receive(timeout=30)
          fields = message.header.fields
          if fields.get(HeaderFields.reply_serial) == number: return seen
          if fields.get(HeaderFields.member) == "Tick": seen.append(message.body[0])
      rule = "type='signal',interface='org.example.Test'"
      print(ticks(), ask(bus, "AddMatch", "s", (rule,)), ticks())
      print(ask(bus, "RemoveMatch", "s", (rule,)), ticks())
      # A rule for the Secret Service is one of the agent's bus, and for any sender one of both.
      print(ask(bus, "AddMatch", "s", ("sender='org.freedesktop.secrets'",)), ticks())
      print(ask(bus, "AddMatch", "s", ("type='signal'",)), ticks())
      secretstorage.create_collection(secretstorage.dbus_init(), "work")
      while True:
        message = bus.receive(timeout=30)
        if message.header.fields.get(HeaderFields.member) == "CollectionCreated": break
      print(message.header.fields[HeaderFields.sender])
      """)
    #expect(
      text.split(separator: "\n") == [
        "[] () ['0', '1']", "() []", "() []", "() ['0', '1']", ":0.0",
      ], "\(text)")
  }

  /// A program that only emits signals ends without waiting for anything.
  @Test func whatAClientSendsBeforeItsEndArrives() throws {
    let scene = try Scene()
    let text = try scene.python(
      """
      from jeepney.io.blocking import open_dbus_connection
      other = open_dbus_connection("\(scene.bus.address)")
      ask(other, "AddMatch", "s", ("interface='org.example.Last'",))
      for passes in (False, True):
        for _ in range(20):
          client = open_dbus_connection("SESSION", enable_fds=passes)
          for number in range(30):
            client.send(new_signal(DBusAddress("/", interface="org.example.Last"), "Said", "u", (number,)))
          client.close()
          seen = []
          while len(seen) < 30:
            message = other.receive(timeout=30)
            if message.header.fields.get(HeaderFields.member) == "Said": seen.append(message.body[0])
          assert seen == list(range(30)), seen
      print("all")
      """)
    #expect(text == "all", "\(text)")
  }

  /// The second kind of value is refused by the bus, and would be accepted by the agent.
  @Test func aRuleThatTheBusRefusesIsNotKept() throws {
    let scene = try Scene()
    let text = try scene.python(
      """
      def hears(name):
        secretstorage.create_collection(secretstorage.dbus_init(), name)
        # What was sent before the answer has arrived with it.
        number, seen = next(bus.outgoing_serial), []
        bus.send(new_method_call(secrets, "ReadAlias", "s", ("default",)), serial=number)
        while True:
          fields = bus.receive(timeout=30).header.fields
          if fields.get(HeaderFields.reply_serial) == number: return seen
          if fields.get(HeaderFields.member) == "CollectionCreated": seen.append(name)
      print(ask(bus, "AddMatch", "s", ("type='signal',eavesdrop='maybe'",)), hears("a"))
      print(ask(bus, "AddMatch", "s", ("type='signal',eavesdrop='false'",)), hears("b"))
      """)
    #expect(text == "MatchRuleInvalid []\n() ['b']", "\(text)")
  }

  /// Another keyring may have the name there.
  @Test func theSecretServiceOfTheSessionsBusIsNeverReached() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let keyring = try TestService(bus, run, name: BusHub.service)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    #expect(try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail").status == 0)
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail")
    let text = try secrets.python(
      TestService.head + """
        print(ask(bus, "GetNameOwner", "s", ("org.freedesktop.secrets",)))
        print(ask(bus, "AddMatch", "s", ("type='signal'",)))
        # Its unique name is that of a program as any other. What it says of secrets is not passed on.
        from jeepney.io.blocking import open_dbus_connection
        owner = ask(open_dbus_connection("\(bus.address)"), "GetNameOwner", "s", ("org.freedesktop.secrets",))[0]
        number = next(bus.outgoing_serial)
        bus.send(new_method_call(DBusAddress("/", owner, "org.example.Test"), "Speak"), serial=number)
        while True:
          fields = bus.receive(timeout=30).header.fields
          if HeaderFields.reply_serial in fields: break
          print(fields[HeaderFields.member])
        """)
    let lines = text.split(separator: "\n").filter {
      $0 != "NameOwnerChanged" && $0 != "NameAcquired"
    }
    #expect(lines == ["(':0.0',)", "()", "Tick"], "\(text)")
    #expect(keyring.calls == ["Speak"])
    // It ends, and its clients here do not hear that the Secret Service has.
    let watch = """
      import os, signal
      print(ask(bus, "AddMatch", "s", ("type='signal',member='NameOwnerChanged'",)))
      from jeepney.io.blocking import open_dbus_connection
      other = open_dbus_connection("\(bus.address)")
      ask(other, "RequestName", "su", ("org.example.Before", 4))
      os.kill(ask(other, "GetConnectionUnixProcessID", "s", ("org.freedesktop.secrets",))[0], signal.SIGKILL)
      while ask(other, "NameHasOwner", "s", ("org.freedesktop.secrets",))[0]: pass
      ask(other, "RequestName", "su", ("org.example.After", 4))
      names = []
      while "org.example.After" not in names:
        message = bus.receive(timeout=30)
        if message.header.fields.get(HeaderFields.member) == "NameOwnerChanged": names.append(message.body[0])
      print([name for name in names if not name.startswith(":")])
      """
    let heard = try secrets.python(TestService.head + watch)
    #expect(heard == "()\n['org.example.Before', 'org.example.After']", "\(heard)")
  }

  @Test func aBusThatEndsAndComesBackIsUsedByNewClients() throws {
    let scene = try Scene()
    let secrets = scene.secrets
    #expect(try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail").status == 0)
    let place = scene.run.folder.path
    let client = scene.run.folder.appendingPathComponent("client.py")
    try Data(
      (TestService.head + """
        import os, secretstorage, sys
        sys.stdout = open("\(place)/part", "w")
        bus = secretstorage.dbus_init()
        print(call(bus, "Hang"))
        print(call(bus, "Echo", "s", ("a",)), answer(bus, secrets, "ReadAlias", "s", ("default",)))
        sys.stdout.close()
        os.rename("\(place)/part", "\(place)/said")
        """).utf8
    ).write(to: client)
    let process = try scene.run.start(
      "/usr/bin/python3 '\(client.path)'",
      with: ["DBUS_SESSION_BUS_ADDRESS": secrets.address])
    defer { kill(process, SIGKILL) }
    #expect(eventually { scene.service.calls.contains("Hang") })
    try scene.bus.end()
    // Without the bus, secrets are there, for clients that are there and for new ones.
    #expect(eventually { FileManager.default.fileExists(atPath: place + "/said") })
    let said = try String(contentsOfFile: place + "/said", encoding: .utf8)
    #expect(
      said == "NoReply\nServiceUnknown ('/org/freedesktop/secrets/collection/login',)\n", "\(said)")
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail")
    #expect(try scene.python(#"print(call(bus, "Echo", "s", ("a",)))"#) == "ServiceUnknown")
    try scene.bus.start()
    let service = try TestService(scene.bus, scene.run)
    #expect(try scene.python(#"print(call(bus, "Echo", "s", ("a",)))"#) == "('a',)")
    service.end()
  }

  @Test func theCommandRunsAProgramWithBoth() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    var atrest = try CommandLineProgram(run)
    atrest.values["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    #expect(try atrest.withPasscode("unlock").status == 0)
    #expect(try atrest.withPasscode("grant", "add", "--for", "secret-service").status == 0)
    let script = """
      printf secret | secret-tool store --label=Mail service mail && secret-tool lookup service mail &&
      busctl --user call org.example.Service /org/example org.example.Test Echo s a
      """
    let text = try atrest("run", "--no-masking", "--secret-service", "--", "sh", "-c", script).text
    #expect(text.split(separator: "\n").last == "secrets \"a\"", "\(text)")
    #expect(service.calls == ["Echo"])
  }
}
