import AtRestKeychain
import AtRestCrypto
import Foundation
import Testing

@testable import AtRestAgent

/// The store locks with the screen, with the session and before suspend.
struct LockSignalTests {
  private static let hasBus =
    AgentRun.isInstalled("dbus-daemon") && AgentRun.isInstalled("python3")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbus")

  /// A bus of the test's own, with a program that takes a name and sends a signal.
  private final class Bus {
    let address: String
    private let process: Int32
    private let run: AgentRun

    init(_ run: AgentRun) throws {
      self.run = run
      address = "unix:path=\(run.folder.path)/bus"
      // Foundation waits until no process has the descriptors that it gave to the child.
      let script = """
        for f in {3..255}; do eval "exec $f>&-"; done
        dbus-daemon --session --nopidfile --address='\(address)' --nofork >/dev/null 2>&1 &
        echo $!
        for i in {1..500}; do test -S '\(run.folder.path)/bus' && exit; sleep 0.01; done
        """
      let start = try run.execute("/usr/bin/env", ["bash", "-c", script])
      process = try #require(Int32(start.text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    deinit { kill(process, SIGKILL) }

    func send(_ interface: String, _ member: String, _ flag: Bool?, as name: String) throws {
      let script = """
        import dbus, sys
        bus = dbus.bus.BusConnection(sys.argv[1])
        bus.request_name(sys.argv[4])
        message = dbus.lowlevel.SignalMessage("/org/example", sys.argv[2], sys.argv[3])
        if sys.argv[5]: message.append(sys.argv[5] == "true", signature="b")
        bus.send_message(message); bus.flush()
        """
      let result = try run.execute(
        "/usr/bin/python3",
        ["-c", script, address, interface, member, name, flag.map(String.init) ?? ""])
      #expect(result.status == 0, "\(result.text)")
    }
  }

  @Test(.enabled(if: hasBus, "needs dbus-daemon, python3 and python3-dbus"))
  func signalsLockTheStore() throws {
    let run = try AgentRun()
    let bus = try Bus(run)
    let login = "org.freedesktop.login1"
    let rules = LockSignal.sources(environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])[0].rules
    let connection = try BusConnection(
      .init(address: bus.address, rules: rules + LockSignal.sessionRules))
    /// Returns the reason for the next lock, or nil if the next signal does not ask for a lock.
    func reason(
      _ interface: String, _ member: String, _ flag: Bool?, as name: String
    ) throws -> String? {
      try bus.send(interface, member, flag, as: name)
      // A signal that always locks marks the end.
      try bus.send(login + ".Session", "Lock", nil, as: login)
      while true {
        let message = try connection.next()
        guard let reason = LockSignal.reason(message) else { continue }
        if reason == "session" { return nil }
        _ = try connection.next()
        return reason
      }
    }
    let saver = "org.gnome.ScreenSaver"
    #expect(try reason(saver, "ActiveChanged", true, as: saver) == "screen")
    #expect(try reason(saver, "ActiveChanged", false, as: saver) == nil)
    #expect(try reason(login + ".Manager", "PrepareForSleep", true, as: login) == "suspend")
    #expect(try reason(login + ".Manager", "PrepareForSleep", false, as: login) == nil)
    // A program under another name does not lock the store.
    #expect(try reason(saver, "ActiveChanged", true, as: "org.example.Other") == nil)

    try run.unlock()
    let service = run.service
    Thread.detachNewThread { LockSignals.follow(connection, service) }
    try bus.send(saver, "ActiveChanged", true, as: saver)
    for _ in 0..<1000 where service.isUnlocked { usleep(10_000) }
    #expect(!service.isUnlocked)
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 1))
    #expect(entries.map { "\($0.operation) \($0.subject)" } == ["lock screen"])
  }

  @Test func otherBytesDoNoHarm() throws {
    let call = BusMessage.call("AddMatch", "type='signal'", serial: 7)
    let message = try BusMessage(decoding: call)
    #expect(message.kind == .call && message.member == "AddMatch")
    #expect(message.interface == "org.freedesktop.DBus")
    for count in 0..<call.count {
      #expect(throws: AtRestError.self) { try BusMessage(decoding: Array(call[..<count])) }
    }
    for index in call.indices {
      for value in [UInt8(0), 1, 0x7F, 0xFF, UInt8(ascii: "B")] {
        var changed = call
        changed[index] = value
        do { _ = try BusMessage(decoding: changed) } catch { #expect(error is AtRestError) }
      }
    }
  }

  @Test func addressesAreRead() {
    #expect(BusConnection.path("unix:path=/run/user/1/bus") == "/run/user/1/bus")
    #expect(BusConnection.path("tcp:host=x;unix:guid=1,path=/a%20b") == "/a b")
    #expect(BusConnection.path("unix:abstract=/tmp/x") == nil)
  }
}
