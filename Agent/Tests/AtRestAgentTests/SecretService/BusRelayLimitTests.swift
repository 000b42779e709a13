@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Clients that do not read, and buses that do not answer, beside others.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct BusRelayLimitTests {
  /// `flood(client, count, size)` has a client sent signals that it does not read. `ticks(client, count)` reads them.
  private static let head =
    TestService.head + """
      def listen(client): ask(client, "AddMatch", "s", ("interface='org.example.Test'",))
      def flood(caller, count, size): assert call(caller, "Emit", "uu", (count, size)) == ()
      def ticks(client, count):
        seen = 0
        while seen < count:
          if client.receive(timeout=60).header.fields.get(HeaderFields.member) == "Tick": seen += 1
        return seen

      """

  /// GLib ends a program whose bus ends the connection, also after a debugger or a suspended session.
  @Test func aClientMayReadAsLateAsItLikes() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let server = AgentServer(run.service, secondsForFrame: 1)
    defer { server.stop() }
    try run.unlock()
    try run.grant("secret-service")
    let path = run.folder.path + "/own"
    try SecretServer(server).listen(.path(path), passingOnTo: SessionBusAddress(bus.address))
    let script =
      Self.head + """
        import os, secretstorage, socket
        late, later, other = [secretstorage.dbus_init() for _ in range(3)]
        for client in (late, later): listen(client)
        flood(other, 64, 64 << 10)
        # An answer waits behind the signals. One that a lock is to protect is not kept for long.
        objects = DBusAddress(secrets.object_path, secrets.bus_name, "org.freedesktop.DBus.Introspectable")
        late.send(new_method_call(dbus, "GetId"), serial=1000)
        later.send(new_method_call(objects, "Introspect"), serial=1000)
        # Control: a client that does not finish its message has a second.
        for _ in range(2):
          half = socket.socket(socket.AF_UNIX)
          half.connect("\(path)")
          half.sendall(b"\\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\\r\\nBEGIN\\r\\nl")
          while half.recv(1000): pass
        for client in (late, later):
          ticks, answers = 0, []
          while ticks < 64 or not answers:
            message = client.receive(timeout=60)
            fields = message.header.fields
            if fields.get(HeaderFields.reply_serial) == 1000: answers.append(fields.get(HeaderFields.error_name, "")[21:])
            if fields.get(HeaderFields.member) == "Tick": ticks += 1
          print(answers, "node" in answer(client, objects, "Introspect")[0], call(client, "Echo", "s", ("a",)))
        """
    let result = try run.execute(
      "/usr/bin/python3", ["-c", script],
      with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + path])
    #expect(
      result.text == "[''] True ('a',)\n['Error.LimitsExceeded'] True ('a',)\n", "\(result)")
    service.end()
  }

  @Test func clientsThatEndWithUnreadSignalsLeaveNothing() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.head + """
        import time
        from jeepney.io.blocking import open_dbus_connection
        other = open_dbus_connection("\(bus.address)")
        def programs(): return [name for name in ask(other, "ListNames")[0] if name.startswith(":")]
        before = len(programs())
        for _ in range(3):
          silent = [secretstorage.dbus_init() for _ in range(100)]
          assert len(programs()) == before + 100
          for client in silent: listen(client)
          flood(bus, 24, 16 << 10)
          for client in silent: client.close()
          end = time.monotonic() + 60
          while len(programs()) > before: assert time.monotonic() < end
        print(call(secretstorage.dbus_init(), "Echo", "s", ("a",)))
        """)
    #expect(text == "('a',)")
    service.end()
  }

  /// Neither the clients that wait nor a failure keep others from the bus.
  @Test func aBusThatIsSilentToOneClientServesOthers() throws {
    let run = try AgentRun()
    let bus = try HostileBus(run, silent: 3)
    defer { bus.end() }
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let place = run.folder.path
    let client = """
      import os, secretstorage
      bus = secretstorage.dbus_init()
      open("\(place)/" + bus.unique_name, "w").close()
      """
    let script = run.folder.appendingPathComponent("client.py")
    try Data(client.utf8).write(to: script)
    for number in 1...3 {
      _ = try run.start(
        "/usr/bin/python3 '\(script.path)'", with: ["DBUS_SESSION_BUS_ADDRESS": secrets.address])
      #expect(eventually { FileManager.default.fileExists(atPath: place + "/silent-\(number)") })
    }
    // While they wait, and when they have a name of the agent's bus.
    #expect(try secrets.python("print(bus.unique_name)") == ":1.77")
    let names = try #require(
      eventually {
        try FileManager.default.contentsOfDirectory(atPath: place).count { $0.hasPrefix(":0.") }
          == 3
      } ? try FileManager.default.contentsOfDirectory(atPath: place) : nil)
    #expect(!names.contains(":1.77"))
    #expect(try secrets.python("print(bus.unique_name)") == ":1.77")
  }

  /// The oldest call fails, and the client stays.
  @Test func aCallTooManyFailsTheOldest() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.head + """
        numbers = [next(bus.outgoing_serial) for _ in range(\(BusRelayFilter.mostCalls) + 6)]
        for number in numbers: bus.send(new_method_call(service, "Hang"), serial=number)
        failed = []
        while len(failed) < 6:
          fields = bus.receive(timeout=60).header.fields
          if HeaderFields.error_name in fields: failed.append((fields[HeaderFields.reply_serial], fields[HeaderFields.error_name]))
        print([number for number, _ in failed] == numbers[:6], {name.split(".")[-1] for _, name in failed})
        print(call(bus, "Echo", "s", ("a",)))
        """)
    #expect(text == "True {'LimitsExceeded'}\n('a',)", "\(text)")
    service.end()
  }

  /// It writes without reading, as simple libraries do, and is not kept from it by what it has not read.
  @Test func aClientMayWriteBeforeItReads() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    let text = try secrets.python(
      Self.head + """
        other = secretstorage.dbus_init()
        listen(bus)
        flood(other, 64, 64 << 10)
        number = next(bus.outgoing_serial)
        for _ in range(20): bus.send(new_method_call(service, "Echo", "s", ("x" * (256 << 10),)))
        bus.send(new_method_call(service, "Echo", "s", ("last",)), serial=number)
        print(ticks(bus, 64))
        while True:
          message = bus.receive(timeout=60)
          if message.header.fields.get(HeaderFields.reply_serial) == number: break
        print(message.body)
        """)
    #expect(text == "64\n('last',)", "\(text)")
    service.end()
  }

  /// While the user is asked for the passcode, other programs are heard.
  @Test func signalsArriveDuringAQuestion() throws {
    let run = try AgentRun()
    try run.asker.set("wait")
    defer { run.asker.clear("wait") }
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    let secrets = try SecretServiceRun(
      passingOnTo: bus.address, run, ["--ask", run.asker.path], unlocks: false)
    let text = try secrets.python(
      Self.head + """
        from jeepney.io.blocking import open_dbus_connection
        other = open_dbus_connection("\(bus.address)")
        listen(bus)
        bus.send(new_method_call(secrets, "SearchItems", "a{ss}", ({"a": "b"},)))
        import os, time
        while not os.path.exists("\(run.asker.path).asked"): time.sleep(0.01)
        flood(other, 3, 10)
        print(ticks(bus, 3))
        """)
    #expect(text == "3", "\(text)")
    service.end()
  }
}
