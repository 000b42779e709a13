@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The back end of Flatpak's portal for secrets, called as the portal does.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct SecretPortalTests {
  private static let python = URL(fileURLWithPath: "/usr/bin/python3")
    .resolvingSymlinksInPath().path

  /// `retrieve(application)` returns the secret, or the last part of an error's name and the text.
  private static let head = """
    import os, select, socket, sys
    # In its user namespace a program seems to be root.
    os.getuid = os.geteuid = lambda: \(geteuid())
    from jeepney import *
    from jeepney.io.blocking import open_dbus_connection
    bus = open_dbus_connection(os.environ["DBUS_SESSION_BUS_ADDRESS"], enable_fds=True)
    portal = DBusAddress(
      "/org/freedesktop/portal/desktop", "org.freedesktop.secrets", "org.freedesktop.impl.portal.Secret")
    def retrieve(application, write=None):
      read = None
      if write is None: read, write = os.pipe()
      arguments = ("/org/freedesktop/portal/desktop/request/1_1/a", application, write, {})
      reply = bus.send_and_get_reply(
        new_method_call(portal, "RetrieveSecret", "osha{sv}", arguments), timeout=60)
      os.close(write)
      if reply.header.message_type == MessageType.error:
        # Nothing was written.
        if read is not None: assert os.read(read, 1) == b""
        return reply.header.fields[HeaderFields.error_name].split(".")[-1] + ": " + reply.body[0]
      assert reply.body == (0, {}), reply.body
      return os.read(read, 1000)

    """

  private struct Scene {
    let run: AgentRun
    let secrets: SecretServiceRun

    init(isGranted: Bool = true, hasDescriptors: Bool = true, asks: Bool = false) throws {
      run = try AgentRun()
      secrets = try SecretServiceRun(
        on: TestBus(run, hasDescriptors ? .descriptor : .number), run, isGranted: false,
        asks ? ["--ask", run.asker.path] : [])
      guard isGranted else { return }
      try give(AgentEvidence(.systemProgram, SecretPortalTests.python))
    }

    func give(_ evidence: AgentEvidence) throws {
      try secrets.give(
        AgentGrant(evidence, groups: ["flatpak-secrets"], mayWrite: true, isForSandboxes: true))
    }

    /// What the log has of the portal: operations, subjects and answers.
    func log() throws -> [String] {
      let entries: [AgentLogEntry] = try secrets.program.connect().document(.log(count: 100))
      return entries.filter { ["RetrieveSecret", "get", "add"].contains($0.operation) }
        .map { "\($0.operation) \($0.subject): \($0.answer)" }
    }

    func python(_ script: String, isSandboxed: Bool = false) throws -> String {
      let words = ["/usr/bin/python3", "-c", SecretPortalTests.head + script]
      let all = isSandboxed ? ["/usr/bin/unshare", "-Urm"] + words : words
      return try run.execute(
        all[0], Array(all.dropFirst()), with: ["DBUS_SESSION_BUS_ADDRESS": secrets.address]
      ).text
    }
  }

  @Test func eachApplicationHasASecretThatStays() throws {
    let text = try Scene().python(
      """
      one, again, other = retrieve("org.example.One"), retrieve("org.example.One"), retrieve("org.example.Other")
      print(len(one), one == again, len(other), one == other)
      """)
    #expect(text == "64 True 64 False\n")
  }

  @Test func aSocketGetsItToo() throws {
    let text = try Scene().python(
      """
      one, other = socket.socketpair()
      try: retrieve("org.example.One", one.detach())
      except TypeError: pass
      print(len(other.recv(1000)))
      """)
    #expect(text == "64\n")
  }

  @Test func aProgramWithoutTheGrantGetsNothing() throws {
    let scene = try Scene(isGranted: false)
    // The grant for the items of the Secret Service is another one.
    try scene.secrets.grant(mayWrite: true)
    let text = try scene.python(#"print(retrieve("org.example.One"))"#)
    #expect(text.hasPrefix("AccessDenied: The agent has no grant"), "\(text)")
  }

  /// It could name another application.
  @Test(.enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare and user namespaces"))
  func aProgramInASandboxIsNotThePortal() throws {
    let scene = try Scene(isGranted: false)
    // Even this grant does not help.
    try scene.give(AgentEvidence(.user, String(geteuid())))
    let script = #"print(retrieve("org.example.One"))"#
    let inside = try scene.python(script, isSandboxed: true)
    #expect(inside.hasPrefix("AccessDenied: This may not be asked"), "\(inside)")
    #expect(try scene.python("print(len(retrieve('org.example.One')))") == "64\n")
  }

  @Test func aBusThatProvesNothingHasNoPortal() throws {
    let scene = try Scene(isGranted: false, hasDescriptors: false)
    try scene.give(AgentEvidence(.user, String(geteuid())))
    let text = try scene.python(#"print(retrieve("org.example.One"))"#)
    #expect(text.hasPrefix("AccessDenied: This bus does not prove"), "\(text)")
  }

  @Test func aLockedSecretIsNeverANewOne() throws {
    let scene = try Scene()
    let script = #"print(retrieve("org.example.One"))"#
    let first = try scene.python(script)
    try scene.secrets.lock()
    let locked = try scene.python(script)
    #expect(locked.hasPrefix("IsLocked: "), "\(locked)")
    try scene.secrets.unlock()
    #expect(try scene.python(script) == first)
  }

  @Test(arguments: ["", "application", "org.example/../One", "org..One"])
  func anotherNameIsNoApplication(name: String) throws {
    let text = try Scene().python("print(retrieve('\(name)'))")
    #expect(text.hasPrefix("InvalidArgs: "), "\(text)")
  }

  /// A file may be on a file system that does not answer.
  @Test func aFileGetsNothing() throws {
    let scene = try Scene()
    let file = scene.run.folder.appendingPathComponent("file").path
    let text = try scene.python(
      """
      print(retrieve("org.example.One", os.open("\(file)", os.O_RDWR | os.O_CREAT)), os.stat("\(file)").st_size)
      """)
    #expect(text.hasPrefix("InvalidArgs: ") && text.hasSuffix(" 0\n"), "\(text)")
  }

  @Test func aPipeThatIsFullDoesNotKeepTheAgentWaiting() throws {
    let text = try Scene().python(
      """
      read, write = os.pipe()
      os.set_blocking(write, False)
      try:
        while True: os.write(write, bytes(4096))
      except BlockingIOError: pass
      os.set_blocking(write, True)
      print(retrieve("org.example.One", write))
      """)
    #expect(text.hasPrefix("InvalidArgs: "), "\(text)")
  }

  /// Fills a pipe at the moment when the agent writes to it. `race(rounds)` returns False if a call is not answered.
  private static let race = """
    import fcntl, random, struct, time
    first = retrieve("org.example.One")
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(read, False)
    moments, moment = os.pipe()
    filled, fill = os.pipe()
    if os.fork() == 0:
      os.close(moment)
      own = os.open("/proc/self/fd/%d" % write, os.O_WRONLY | os.O_NONBLOCK)
      page = bytes(4096)
      while data := os.read(moments, 8):
        end = struct.unpack("q", data)[0]
        while time.monotonic_ns() < end: pass
        try: os.write(own, page)
        except BlockingIOError: pass
        os.write(fill, b"1")
      os._exit(0)
    os.close(moments)
    def drain():
      data = b""
      try:
        while part := os.read(read, 8192): data += part
      except BlockingIOError: pass
      return data
    def race(rounds):
      middle = 300000
      for _ in range(rounds):
        arguments = ("/org/freedesktop/portal/desktop/request/1_1/a", "org.example.One", write, {})
        call = new_method_call(portal, "RetrieveSecret", "osha{sv}", arguments)
        os.write(moment, struct.pack("q", time.monotonic_ns() + int(max(0, middle + random.uniform(-60000, 60000)))))
        try: reply = bus.send_and_get_reply(call, timeout=5)
        except TimeoutError: return False
        os.read(filled, 1)
        middle = max(0, middle + (5000 if reply.header.message_type == MessageType.error else -5000))
        data = drain()
        assert data in (bytes(4096), first, first + bytes(4096), bytes(4096) + first), data
      return True
    def lock():
      service = DBusAddress(
        "/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
      other = open_dbus_connection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
      reply = other.send_and_get_reply(
        new_method_call(service, "Lock", "ao", (["/org/freedesktop/secrets/collection/login"],)), timeout=60)
      assert reply.header.message_type == MessageType.method_return, reply.body

    """

  /// An application fills its pipe between a look at it and the write.
  @Test func aPipeThatIsFilledMeanwhileDoesNotKeepTheAgentWaiting() throws {
    let text = try Scene().python(
      Self.race + """
        isAnswered = race(3000)
        lock()
        drain()
        print(isAnswered, select.select([read], [], [], 0 if isAnswered else 5)[0])
        """)
    #expect(text == "True []\n", "\(text)")
  }

  #if os(Linux)
    /// An application writes to its pipe from memory that a file system has yet to provide. Nobody else can write to
    /// the pipe meanwhile, and no call says that it would have to wait.
    @Test(.enabled(if: HangingFileSystem.isPossible, "needs root, python3 and /dev/fuse"))
    func anApplicationThatHoldsItsPipeGetsNothingAfterALock() throws {
      let scene = try Scene()
      let files = try HangingFileSystem(scene.run)
      let mark = scene.run.folder.appendingPathComponent("hang").path
      let text = try scene.python(
        Self.race + """
          import glob, mmap, signal
          retrieve("org.example.Other")
          page = mmap.mmap(os.open("\(files.place)/python0", os.O_RDONLY), 4096, mmap.MAP_PRIVATE)
          open("\(mark)-reading", "w").close()
          read, write = os.pipe()
          child = os.fork()
          if child == 0:
            try: os.write(write, page)
            except OSError: pass
            os._exit(0)
          while open("/proc/%d/stat" % child).read().split()[2] == "R": pass
          def call(application):
            arguments = ("/org/freedesktop/portal/desktop/request/1_1/a", application, write, {})
            return new_method_call(portal, "RetrieveSecret", "osha{sv}", arguments)
          try: print(bus.send_and_get_reply(call("org.example.One"), timeout=20).body[0])
          except TimeoutError: print("no answer")
          # The portal goes on, for other applications too.
          other = open_dbus_connection(os.environ["DBUS_SESSION_BUS_ADDRESS"], enable_fds=True)
          bus = other
          print(len(retrieve("org.example.Other")), retrieve("org.example.One").split(":")[0])
          # A call beside which the store is locked.
          bus.send(call("org.example.Third"))
          lock()
          os.close(write)
          for place in glob.glob("/proc/[0-9]*/cmdline"):
            try: words = open(place).read().split("\\0")
            except OSError: continue
            if words[1:2] == [os.path.dirname("\(mark)") + "/fuse.py"]: os.kill(int(place.split("/")[2]), signal.SIGKILL)
          os.waitpid(child, 0)
          # The end of the pipe comes when the agent has closed it.
          print(os.read(read, 1000))
          """)
      let lines = text.split(separator: "\n")
      try #require(lines.count == 3, "\(text)")
      #expect(lines[0].hasPrefix("The descriptor is no pipe or socket"), "\(text)")
      // The next descriptor is not to blame for the first one.
      #expect(lines[1...] == ["64 LimitsExceeded", "b''"], "\(text)")
    }
  #endif

  @Test func aPipeWithoutAReaderEndsNothing() throws {
    let text = try Scene().python(
      """
      read, write = os.pipe()
      os.close(read)
      print(retrieve("org.example.One", write).split(":")[0], len(retrieve("org.example.One")))
      """)
    #expect(text == "InvalidArgs 64\n")
  }

  /// Nothing is made or read for a descriptor that takes no secret, and the log has the refusals.
  @Test func theKindOfTheDescriptorComesFirst() throws {
    let scene = try Scene()
    let text = try scene.python(
      """
      for file in (os.open("/dev/null", os.O_WRONLY), os.pipe()[0], socket.socket().detach()):
        print(retrieve("org.example.One", file).split(":")[0])
      """)
    #expect(text == "InvalidArgs\nInvalidArgs\nInvalidArgs\n")
    let refusal = "RetrieveSecret : invalid-argument"
    #expect(try scene.log() == [refusal, refusal, refusal])
  }

  @Test func aSecretThatIsNotTakenIsInTheLog() throws {
    let scene = try Scene()
    _ = try scene.python(
      """
      read, write = os.pipe()
      os.close(read)
      retrieve("org.example.One", write)
      """)
    #expect(try scene.log().contains("RetrieveSecret org.example.One: invalid-argument"))
    try scene.secrets.lock()
    _ = try scene.python(#"retrieve("org.example.One")"#)
    #expect(try scene.log().contains("RetrieveSecret : locked"))
  }

  /// Of the portal, the user knows neither the application, nor could it withdraw the question.
  @Test func nobodyIsAsked() throws {
    let scene = try Scene(isGranted: false, asks: true)
    try scene.run.asker.set("passcode", AgentRun.passcode + "\n")
    try scene.run.asker.set("answer", "always\n")
    let script = #"print(retrieve("org.example.One"))"#
    let refused = try scene.python(script)
    #expect(refused.hasPrefix("AccessDenied: The agent has no grant"), "\(refused)")
    try scene.secrets.lock()
    // Whether the store is locked is no answer for a program without the grant.
    let stillRefused = try scene.python(script)
    #expect(stillRefused.hasPrefix("AccessDenied: The agent has no grant"), "\(stillRefused)")
    try scene.give(AgentEvidence(.systemProgram, Self.python))
    let locked = try scene.python(script)
    #expect(locked.hasPrefix("IsLocked: "), "\(locked)")
    #expect(scene.run.asker.questions.isEmpty)
  }

  @Test func theObjectIsDescribed() throws {
    let text = try Scene(isGranted: false).python(
      """
      def call(interface, member, signature="", arguments=()):
        address = DBusAddress(portal.object_path, portal.bus_name, "org.freedesktop." + interface)
        reply = bus.send_and_get_reply(new_method_call(address, member, signature, arguments))
        if reply.header.message_type != MessageType.error: return reply.body
        return reply.header.fields[HeaderFields.error_name].split(".")[-1]
      own, other = "org.freedesktop.impl.portal.Secret", "org.freedesktop.impl.portal.Access"
      print(call("DBus.Peer", "Ping"))
      from xml.etree import ElementTree
      tree = ElementTree.fromstring(call("DBus.Introspectable", "Introspect")[0])
      print(*sorted(name.get("name") for name in tree))
      print(*[argument.get("type") for argument in tree.find("*/method[@name='RetrieveSecret']")])
      properties = "DBus.Properties"
      print(call(properties, "Get", "ss", (own, "version")), call(properties, "Get", "ss", ("", "version")))
      print(call(properties, "GetAll", "s", (own,)), call(properties, "GetAll", "s", ("",)))
      print(call(properties, "Get", "ss", (other, "version")), call(properties, "GetAll", "s", (other,)))
      print(call(properties, "Get", "ss", (own, "other")), call("DBus.Peer", "Pong"))
      """)
    let dbus = "org.freedesktop.DBus."
    let expected = [
      "()",
      "\(dbus)Introspectable \(dbus)Peer \(dbus)Properties org.freedesktop.impl.portal.Secret",
      "o s h a{sv} u a{sv}",
      "(('u', 1),) (('u', 1),)",
      "({'version': ('u', 1)},) ({'version': ('u', 1)},)",
      "UnknownInterface UnknownInterface",
      "UnknownProperty UnknownMethod",
    ]
    #expect(text == expected.map { $0 + "\n" }.joined(), "\(text)")
  }
}
