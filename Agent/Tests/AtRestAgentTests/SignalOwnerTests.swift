@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A bus with the policy of the system's bus, on which every user can send messages to every program.
private final class SystemBus {
  static let policy = "/usr/share/dbus-1/system.conf"
  static let isInstalled = MockBus.isInstalled && FileManager.default.fileExists(atPath: policy)

  let address: String
  let run: AgentRun
  private var processes: [Int32] = []

  init(_ run: AgentRun) throws {
    self.run = run
    let socket = run.folder.appendingPathComponent("bus").path
    address = "unix:path=\(socket)"
    var text = try String(contentsOfFile: Self.policy, encoding: .utf8)
    // The address, and names for the service that a test plays, which packages allow in files of their own.
    for tag in ["listen", "user", "pidfile", "includedir", "include", "servicehelper"] {
      text = text.replacing(
        try Regex("<\(tag)[^>]*/>|<\(tag)[^>]*>[^<]*</\(tag)>").dotMatchesNewlines(), with: "")
    }
    text = text.replacingOccurrences(
      of: "</busconfig>",
      with: """
        <listen>\(address)</listen>
        <policy user="\(NSUserName())"><allow own="org.freedesktop.login1"/>
        <allow send_destination="org.freedesktop.login1"/></policy>
        <policy context="default"><allow receive_type="signal"/></policy>
        </busconfig>
        """)
    text = text.replacingOccurrences(of: "<fork/>", with: "")
    let file = run.folder.appendingPathComponent("bus.conf").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    processes.append(
      try run.start("dbus-daemon --config-file='\(file)' --nofork --nopidfile"))
    #expect(eventually { isListening(socket) })
    // Another user has to reach the socket.
    chmod(run.folder.path, 0o755)
    chmod(socket, 0o777)
  }

  deinit { for process in processes { kill(process, SIGKILL) } }

  /// Plays systemd-logind, whose signals and properties a test sets.
  func playLogin(isPreparing: Bool = false) throws {
    let script = """
      import dbus, dbus.service, dbus.bus, dbus.mainloop.glib, os, sys
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.bus.BusConnection(sys.argv[1])
      class Login(dbus.service.Object):
          @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
          def Get(self, interface, name): return dbus.Boolean(sys.argv[2] == "true")
          @dbus.service.method("org.freedesktop.login1.Manager", in_signature="ssss", out_signature="h")
          def Inhibit(self, a, b, c, d): return dbus.types.UnixFd(os.open("/dev/null", os.O_RDONLY))
          @dbus.service.signal("org.freedesktop.login1.Manager", signature="b")
          def PrepareForSleep(self, flag): pass
          @dbus.service.method("x.Test", in_signature="b")
          def Emit(self, flag): self.PrepareForSleep(flag)
      login = Login(bus, "/org/freedesktop/login1")
      name = dbus.service.BusName("org.freedesktop.login1", bus)
      GLib.MainLoop().run()
      """
    let file = run.folder.appendingPathComponent("login.py").path
    try Data(script.utf8).write(to: URL(fileURLWithPath: file))
    processes.append(
      try run.start("/usr/bin/python3 '\(file)' '\(address)' \(isPreparing)"))
    let bus = try BusConnection(.init(address: address, names: []))
    func hasOwner() throws -> Bool {
      try bus.call(
        "NameHasOwner", of: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
        .text("org.freedesktop.login1")
      ).body.first?.flag == true
    }
    try #require(try eventually { try hasOwner() })
  }

  /// Follows the bus on another thread.
  func follow() {
    let source = LockSignal.Source(address: address, names: [LockSignal.login])
    let service = run.service
    Thread.detachNewThread { LockSignals.follow(source, service, environment: [:]) { _ in } }
  }

  /// Runs a program for the bus, as another user or as this one.
  func call(_ arguments: [String], asNobody: Bool) throws -> (status: Int32, text: String) {
    let words = ["dbus-send", "--bus=\(address)"] + arguments
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    return try run.execute("/usr/bin/env", (asNobody ? user : []) + words)
  }

  /// Returns the unique names of all connections.
  func connections() throws -> Set<String> {
    let list = try call(
      [
        "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
        "org.freedesktop.DBus.ListNames",
      ], asNobody: false)
    return Set(list.text.split(separator: "\"").map(String.init).filter { $0.hasPrefix(":1.") })
  }

  /// Lets systemd-logind announce suspend, and waits until the store is locked.
  func suspends() throws -> Bool {
    _ = try call(
      [
        "--print-reply", "--dest=org.freedesktop.login1", "/org/freedesktop/login1", "x.Test.Emit",
        "boolean:true",
      ], asNobody: false)
    return eventually { !run.service.isUnlocked }
  }
}

/// Signals are believed from the owner of a name only, and none is lost.
@Suite(
  .enabled(
    if: SystemBus.isInstalled && geteuid() == 0 && AgentRun.isInstalled("dbus-send")
      && AgentRun.isInstalled("setpriv"),
    "needs root for a second user, dbus-daemon, python-dbusmock and setpriv"))
struct SignalOwnerTests {
  private static let signal = [
    "--type=signal", "/org/freedesktop/login1", "org.freedesktop.login1.Manager.PrepareForSleep",
    "boolean:true",
  ]

  @Test func anotherUserDoesNotLockTheStore() throws {
    let run = try AgentRun()
    let bus = try SystemBus(run)
    try bus.playLogin()
    let before = try bus.connections()
    bus.follow()
    var agents: Set<String> = []
    #expect(
      try eventually {
        // Each list has the connection of the program that asks for it, too.
        agents = try bus.connections().intersection(bus.connections()).subtracting(before)
        return agents.count == 1
      })
    let agent = try #require(agents.first)
    try run.unlock()
    // A signal to the agent itself, from another user and from another program of the user, and one of
    // 1.2 MB, which is longer than what the agent reads.
    for asNobody in [true, false] {
      let sent = try bus.call(["--dest=\(agent)"] + Self.signal, asNobody: asNobody)
      #expect(sent.status == 0, "\(sent.text)")
      let broadcast = try bus.call(Self.signal, asNobody: asNobody)
      #expect(broadcast.status == 0, "\(broadcast.text)")
      let script = """
        import dbus, dbus.bus, dbus.lowlevel, sys
        bus = dbus.bus.BusConnection(sys.argv[1])
        for count in (1, 1200000):
            message = dbus.lowlevel.SignalMessage("/x", "org.freedesktop.login1.Manager", "PrepareForSleep")
            message.append("x" * count, True)
            message.set_destination(sys.argv[2])
            bus.send_message(message)
        bus.flush()
        """
      let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
      let large = try run.execute(
        "/usr/bin/env",
        (asNobody ? user : []) + ["/usr/bin/python3", "-c", script, bus.address, agent])
      #expect(large.status == 0, "\(large.text)")
    }
    // Control: the agent still follows the same connection, and believes the owner of the name. What was
    // sent before did not lock the store, because it would have been first.
    #expect(try bus.connections().contains(agent))
    #expect(run.service.isUnlocked)
    #expect(try bus.suspends())
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
    #expect(entries.filter { $0.operation == "lock" }.map(\.subject) == ["suspend"])
  }

  /// The signal was sent before the agent was connected.
  @Test(arguments: [true, false]) func theStateIsRead(_ isPreparing: Bool) throws {
    let run = try AgentRun()
    let bus = try SystemBus(run)
    try run.unlock()
    try bus.playLogin(isPreparing: isPreparing)
    let before = try bus.connections()
    bus.follow()
    if isPreparing { return #expect(eventually { !run.service.isUnlocked }) }
    // Control: otherwise, only a signal locks the store.
    #expect(try eventually { try bus.connections().count > before.count })
    #expect(run.service.isUnlocked)
    #expect(try bus.suspends())
  }
}
