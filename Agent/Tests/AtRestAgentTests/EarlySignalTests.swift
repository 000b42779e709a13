@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A signal that arrives while the agent waits for an answer is not lost.
@Suite(.enabled(if: AgentRun.isInstalled("python3"))) struct EarlySignalTests {
  /// A bus that answers each call itself. It sends a signal before one answer, as a bus may.
  private static let bus = """
    import os, socket, struct, sys
    address, sends, done, flood = sys.argv[1], sys.argv[2] == "true", sys.argv[3], int(sys.argv[4])

    def align(data, size): return data + bytes(-len(data) % size)

    def field(data, code, type, value):
        data = align(data, 8) + bytes([code, 1]) + type.encode() + bytes(1)
        if type == "u": return data + struct.pack("<I", value)
        value = value.encode()
        size = bytes([len(value)]) if type == "g" else struct.pack("<I", len(value))
        return data + size + value + bytes(1)

    def message(kind, fields, body=b""):
        data = b""
        for one in fields: data = field(data, *one)
        head = b"l" + bytes([kind, 0, 1]) + struct.pack("<III", len(body), 7, len(data))
        return align(head + data, 8) + body

    def text(value): return struct.pack("<I", len(value)) + value.encode() + bytes(1)

    server = socket.socket(socket.AF_UNIX)
    server.bind(address + ".new")
    server.listen()
    os.rename(address + ".new", address)
    client = server.accept()[0]

    def read(count):
        data = b""
        while len(data) < count:
            part = client.recv(count - len(data))
            if not part: sys.exit()
            data += part
        return data

    def line():
        data = b""
        while not data.endswith(b"\\n"): data += read(1)

    asked = 0
    login, user, bus = "org.freedesktop.login1", ":1.5", "org.freedesktop.DBus"
    line()
    client.sendall(b"OK 0123456789abcdef0123456789abcdef\\r\\n")
    line()
    client.sendall(b"AGREE_UNIX_FD\\r\\n")
    line()
    while True:
        head = read(16)
        size, serial, fields = struct.unpack("<III", head[4:16])
        rest = read(fields + -fields % 8 + size)
        sender = (7, "s", user if login.encode() in rest[:fields] else bus)
        answer = [(5, "u", serial), sender]
        if b"GetNameOwner" in rest:
            client.sendall(message(2, answer + [(8, "g", "s")], text(user)))
        elif b"Inhibit" in rest:
            # Signals for sessions of another user, twice.
            for number in 2 * list(range(flood)):
                client.sendall(message(4, [
                    (1, "o", f"/org/freedesktop/login1/session/_{number}"),
                    (2, "s", login + ".Session"), (3, "s", "Lock"), sender]))
            if sends:
                client.sendall(message(4, [
                    (1, "o", "/org/freedesktop/login1"), (2, "s", login + ".Manager"),
                    (3, "s", "PrepareForSleep"), sender, (8, "g", "b")], struct.pack("<I", 1)))
            client.sendall(message(3, answer + [(4, "s", "x.Refused")]))
        elif b"PreparingForSleep" in rest:
            body = bytes([1]) + b"b" + bytes(2) + struct.pack("<I", 0)
            client.sendall(message(2, answer + [(8, "g", "v")], body))
        elif (login + ".Session").encode() in rest and text("User") in rest:
            # Every second session has ended meanwhile.
            asked += 1
            if asked % 2:
                client.sendall(message(3, answer + [(4, "s", bus + ".Error.UnknownObject")]))
                continue
            body = bytes([4]) + b"(uo)" + bytes(3) + struct.pack("<I", 4294967294)
            path = "/org/freedesktop/login1/user/_4294967294"
            client.sendall(message(2, answer + [(8, "g", "v")], body + text(path)))
        elif b"GetSession" in rest and text("one") in rest:
            path = "/org/freedesktop/login1/session/one"
            client.sendall(message(2, answer + [(8, "g", "o")], text(path)))
        elif b"AddMatch" in rest or b"Hello" in rest:
            client.sendall(message(2, answer))
        else:
            # The last call is the one for the user's session, or for whether it is locked.
            if b"GetUser" in rest or b"LockedHint" in rest: open(done, "w").close()
            client.sendall(message(3, answer + [(4, "s", "x.Unknown")]))
    """

  /// A bus, which sends the signal if `isSent`, after two for each of `flood` other sessions.
  private final class Bus {
    private let run: AgentRun
    private let socket: String
    private let done: String
    private let process: Int32

    init(_ run: AgentRun, isSent: Bool, flood: Int = 0) throws {
      self.run = run
      let script = run.folder.appendingPathComponent("bus.py").path
      socket = run.folder.appendingPathComponent("bus").path
      done = run.folder.appendingPathComponent("done").path
      try Data(EarlySignalTests.bus.utf8).write(to: URL(fileURLWithPath: script))
      process = try run.start(
        "/usr/bin/python3 '\(script)' '\(socket)' \(isSent) '\(done)' \(flood)")
      eventually { FileManager.default.fileExists(atPath: socket) }
    }

    deinit { kill(process, SIGKILL) }

    /// Follows the bus on another thread, until the state is read.
    func follow(environment: [String: String] = [:]) {
      let source = LockSignal.Source(address: "unix:path=\(socket)", names: [LockSignal.login])
      let service = run.service
      Thread.detachNewThread {
        LockSignals.follow(source, service, environment: environment) { _ in }
      }
      #expect(eventually { FileManager.default.fileExists(atPath: done) })
    }
  }

  @Test(arguments: [true, false]) func itLocksTheStore(isSent: Bool) throws {
    let run = try AgentRun()
    let bus = try Bus(run, isSent: isSent)
    try run.unlock()
    bus.follow()
    // Control: without the signal, the same answers do not lock the store.
    if isSent {
      #expect(eventually { !run.service.isUnlocked })
    } else {
      #expect(run.service.isUnlocked)
    }
  }

  /// Signals for sessions of other users do not lock the store, however many there are, and do not hide the
  /// one that does. The agent has a session of its own, whose signals alone count, or asks whose they are.
  @Test(arguments: [(false, 300), (true, 12_000)])
  func otherSessionsDoNotHideIt(hasSession: Bool, flood: Int) throws {
    let run = try AgentRun()
    let bus = try Bus(run, isSent: true, flood: flood)
    try run.unlock()
    bus.follow(environment: hasSession ? ["XDG_SESSION_ID": "one"] : [:])
    #expect(eventually { !run.service.isUnlocked })
    func reasons() throws -> [String] {
      let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
      return entries.filter { $0.operation == "lock" }.map(\.subject)
    }
    #expect(try eventually { try !reasons().isEmpty })
    #expect(try reasons() == ["suspend"])
  }

  @Test func eventsWithOneMeaningCountOnce() throws {
    var events = EarlyEvents()
    func add(_ names: [String]) -> Bool {
      names.reduce(true) { isAdded, name in events.add(.newOwner(name)) && isAdded }
    }
    func names() -> [String] {
      var names: [String] = []
      while case .newOwner(let name)? = events.removeFirst() { names.append(name) }
      return names
    }
    #expect(add(Array(repeating: "a", count: 2 * EarlyEvents.most)))
    #expect(names() == ["a"])
    // The last of them keeps its place.
    #expect(add(["a", "b", "a"]))
    #expect(names() == ["b", "a"])
    #expect(add((0..<EarlyEvents.most).map(String.init)))
    #expect(!add(["one more"]))
  }
}
