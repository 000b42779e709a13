import Foundation
import Testing

@testable import AtRestAgent

/// A signal that arrives while the agent waits for an answer is not lost.
@Suite(.enabled(if: AgentRun.isInstalled("python3"))) struct EarlySignalTests {
  /// A bus that answers each call itself. It sends a signal before one answer, as a bus may.
  private static let bus = """
    import os, socket, struct, sys
    address, sends, done = sys.argv[1], sys.argv[2] == "true", sys.argv[3]

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
            if sends:
                client.sendall(message(4, [
                    (1, "o", "/org/freedesktop/login1"), (2, "s", login + ".Manager"),
                    (3, "s", "PrepareForSleep"), sender, (8, "g", "b")], struct.pack("<I", 1)))
            client.sendall(message(3, answer + [(4, "s", "x.Refused")]))
        elif b"PreparingForSleep" in rest:
            body = bytes([1]) + b"b" + bytes(2) + struct.pack("<I", 0)
            client.sendall(message(2, answer + [(8, "g", "v")], body))
        elif b"AddMatch" in rest or b"Hello" in rest:
            client.sendall(message(2, answer))
        else:
            # The last call is the one for the user's session.
            if b"GetUser" in rest: open(done, "w").close()
            client.sendall(message(3, answer + [(4, "s", "x.Unknown")]))
    """

  @Test(arguments: [true, false]) func itLocksTheStore(isSent: Bool) throws {
    let run = try AgentRun()
    let script = run.folder.appendingPathComponent("bus.py").path
    let socket = run.folder.appendingPathComponent("bus").path
    let done = run.folder.appendingPathComponent("done").path
    try Data(Self.bus.utf8).write(to: URL(fileURLWithPath: script))
    let process = try run.start("/usr/bin/python3 '\(script)' '\(socket)' \(isSent) '\(done)'")
    defer { kill(process, SIGKILL) }
    #expect(eventually { FileManager.default.fileExists(atPath: socket) })
    try run.unlock()
    let source = LockSignal.Source(address: "unix:path=\(socket)", names: [LockSignal.login])
    let service = run.service
    Thread.detachNewThread { LockSignals.follow(source, service, environment: [:]) { _ in } }
    #expect(eventually { FileManager.default.fileExists(atPath: done) })
    // Control: without the signal, the same answers do not lock the store.
    if isSent { #expect(eventually { !service.isUnlocked }) } else { #expect(service.isUnlocked) }
  }
}
