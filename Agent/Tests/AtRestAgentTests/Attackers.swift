import Foundation

/// Programs that attack an agent, each in a process of its own, as long as this object exists.
final class Attackers {
  /// What a program does.
  enum Attack: String, CaseIterable {
    /// Holds connections, and says nothing.
    case silent
    /// Begins large messages, and does not finish them.
    case half
    /// Asks for the whole log.
    case log
    /// Is a program with a hole of 900 GB at its end.
    case huge
    /// Sends what is no message.
    case malformed
    /// Asks for what is not granted.
    case refused
    /// Asks for large items, and does not read the answers.
    case deaf
    /// Asks for lists of large items, and does not read the answers.
    case lists
    /// Asks for the state, again and again, without reading the answers.
    case status
    /// Connects, and ends the connection.
    case churn
    /// Sends descriptors.
    case descriptors
    /// Lists, signs and binds over the protocol for SSH.
    case ssh
    /// Connects to the socket for credentials.
    case credentials
    /// Logs in to the bus on many connections, and says nothing.
    case busSilent
    /// Sends the bus messages of 60 MiB.
    case busLarge
    /// Takes names and match rules on the bus without end.
    case busRules
    /// Opens sessions and searches on the bus, and does not read the answers.
    case busDeaf
    /// Sends the bus what is no message.
    case busMalformed
  }

  static let isPossible = AgentRun.isInstalled("python3")

  private static let script = #"""
    import array, json, os, socket, struct, sys, time
    sockets, frames, attack = json.loads(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]
    frames = {k: bytes.fromhex(v) for k, v in frames.items()}
    def frame(b): return struct.pack(">I", len(b)) + b
    def connect(name="agent"):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(1)
        s.connect(sockets[name])
        return s
    def answer(s):
        head = s.recv(4, socket.MSG_WAITALL)
        if len(head) < 4: raise OSError("ended")
        return s.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL)
    def hold(begin, most, pause=0.5, name="agent"):
        held = []
        while True:
            try:
                while len(held) < most:
                    s = connect(name); held.append(s); s.send(begin) if begin else None
            except OSError: pass
            time.sleep(pause)
            held = [s for s in held if not closed(s)]
    def closed(s):
        try: s.send(b""); return s.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError: return False
        except OSError: return True
    def ask(message, reads=True, name="agent", count=50):
        while True:
            try:
                s = connect(name)
                for _ in range(count):
                    s.sendall(message)
                    if reads: answer(s)
                if not reads: time.sleep(0.2)
                s.close()
            except OSError: time.sleep(0.01)
    def text(t): return struct.pack("<I", len(t)) + t.encode() + b"\0"
    def pad(b, size): return b + bytes(-len(b) % size)
    def call(name, path, member, signature="", body=b""):
        fields = b""
        for code, kind, value in [(1, b"o", path), (6, b"s", name), (3, b"s", member), (8, b"g", signature)]:
            end = bytes([len(value)]) + value.encode() + b"\0" if kind == b"g" else text(value)
            fields = pad(fields, 8) + bytes([code, 1]) + kind + b"\0" + end
        return pad(b"l\1\0\1" + struct.pack("<III", len(body), 1, len(fields)) + fields, 8) + body
    def bus(member, signature="", body=b""): return call("org.freedesktop.DBus", "/org/freedesktop/DBus", member, signature, body)
    def secrets(member, signature, body): return call("org.freedesktop.secrets", "/org/freedesktop/secrets", member, signature, body)
    login = b"\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\r\nBEGIN\r\n"
    def flood(part, pause=0):
        number = 0
        while True:
            try:
                s = connect("bus"); s.sendall(login + bus("Hello"))
                while True: number += 1; s.sendall(part(number)); time.sleep(pause)
            except OSError: time.sleep(0.01)
    mark = sys.argv[4]
    open(mark, "w").write("x")
    if attack == "silent": hold(b"", 120)
    if attack == "half": hold(struct.pack(">I", 1 << 20) + bytes(1000000), 100)
    if attack == "log": ask(frame(frames["log"]))
    if attack == "huge": ask(frame(frames["grants"]))
    if attack == "malformed": ask(frame(b"\xff\xff"))
    if attack == "refused": ask(frame(frames["refused"]))
    if attack == "deaf": ask(frame(frames["large"]), reads=False, count=20)
    if attack == "lists": ask(frame(frames["list"]), reads=False, count=5)
    if attack == "status": ask(frame(frames["status"]) * 100, reads=False, count=20)
    if attack == "churn":
        while True:
            try: connect().close()
            except OSError: pass
    if attack == "descriptors":
        files = array.array("i", [os.open("/dev/null", os.O_RDONLY) for _ in range(50)])
        while True:
            try:
                s = connect()
                for _ in range(20):
                    s.sendmsg([frame(frames["status"])], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
                    answer(s)
                s.close()
            except OSError: time.sleep(0.01)
    if attack == "ssh":
        bind = b"\x1b" + frame(b"session-bind@openssh.com") + frame(b"x" * 40) * 3 + b"\x01"
        sign = b"\x0d" + frame(b"k" * 50) + frame(b"d" * 50) + bytes(4)
        ask(frame(b"\x0b") + frame(bind) + frame(sign), name="ssh")
    if attack == "credentials":
        while True:
            try: s = connect("credentials"); s.recv(100); s.close()
            except OSError: pass
    if attack == "busSilent": hold(login + bus("Hello"), 100, name="bus")
    if attack == "busLarge":
        large = secrets("OpenSession", "sv", bytes(60 << 20))
        flood(lambda _: large)
    if attack == "busRules":
        flood(lambda n: bus("AddMatch", "s", text(f"arg0='{n}'")) + bus("RequestName", "su", pad(text(f"a.b{n}"), 4) + bytes(4)))
    if attack == "busDeaf":
        session = secrets("OpenSession", "sv", pad(text("plain"), 1) + b"\1s\0" + bytes(3) + text(""))
        flood(lambda _: session + secrets("SearchItems", "a{ss}", bytes(8)))
    if attack == "busMalformed": flood(lambda n: os.urandom(40 + n % 400))
    """#

  private var processes: [Int32] = []
  private let attacks: [Attack]

  /// The attacks whose program has ended, which none does by itself.
  var ended: [Attack] {
    // A process that has ended has no arguments, although it may still have its number.
    zip(attacks, processes).filter {
      (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\($1)/cmdline")))?.isEmpty ?? true
    }.map(\.0)
  }

  private var files: [String] = []
  private let run: AgentRun

  /// Starts programs, and waits until they have begun.
  ///
  /// - Parameters:
  ///   - sockets: The paths of the sockets by their names: `agent`, `ssh`, `credentials`, `bus`.
  ///   - frames: Requests by their names.
  init(
    _ run: AgentRun, _ attacks: [Attack], sockets: [String: String], frames: [String: Data]
  ) throws {
    self.run = run
    self.attacks = attacks
    let script = run.folder.appendingPathComponent("attack.py").path
    // The literal above has two backslashes for each of Python's.
    try Data(Self.script.replacingOccurrences(of: "\\\\", with: "\\").utf8).write(
      to: URL(fileURLWithPath: script))
    func json(_ value: [String: String]) throws -> String {
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
    let hex = frames.mapValues { $0.map { String(format: "%02x", $0) }.joined() }
    var marks: [String] = []
    for (index, attack) in attacks.enumerated() {
      let mark = run.folder.appendingPathComponent("attack-\(index)").path
      let program = try attack == .huge ? hugePython(index) : "/usr/bin/python3"
      processes.append(
        try run.start(
          "'\(program)' '\(script)' '\(json(sockets))' '\(json(hex))' \(attack.rawValue) '\(mark)'",
          with: ["PYTHONHOME": "/usr"]))
      marks.append(mark)
    }
    eventually { marks.allSatisfy { FileManager.default.fileExists(atPath: $0) } }
  }

  deinit {
    for process in processes { kill(process, SIGKILL) }
    for file in files { unlink(file) }
  }

  /// Makes a copy of Python with a hole at its end.
  private func hugePython(_ index: Int) throws -> String {
    let path = run.folder.appendingPathComponent("python-\(index)").path
    let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath()
    try FileManager.default.copyItem(atPath: python.path, toPath: path)
    files.append(path)
    // Some file systems have smaller files.
    if truncate(path, 900 << 30) != 0 { truncate(path, 8 << 30) }
    return path
  }
}
