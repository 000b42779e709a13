import Foundation
import Testing

/// Clients that keep to no protocol, on the agent's bus. Others are served, and a lock is a lock.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServiceHostileTests {
  private static let attack = """
    import os, random, socket, struct, sys
    path = sys.argv[1]
    random.seed(7)
    user = str(os.geteuid()).encode().hex().encode()
    login = b"\\0AUTH EXTERNAL " + user + b"\\r\\nBEGIN\\r\\n"
    def header(size, fields=0, order=b"l", kind=1, version=1):
      return order + bytes([kind, 0, version]) + struct.pack("<III", size, 1, fields)
    parts = [
      b"", b"\\0", b"GET / HTTP/1.0\\r\\n\\r\\n", b"\\0AUTH ANONYMOUS\\r\\nBEGIN\\r\\n", b"\\0BEGIN\\r\\n" + header(0),
      b"\\0AUTH EXTERNAL 39393939\\r\\nBEGIN\\r\\n", b"x" * 5000, b"\\0" + b"AUTH EXTERNAL\\r\\n" * 50,
      login, login + header(1 << 27), login + header(1 << 20), login + header(0xffffffff, 0xffffffff),
      login + header(0, 8) + b"\\1\\1o\\0", login + header(0, order=b"x"), login + header(0, version=2),
      login + header(40, 0) + bytes(40), login + header(16, 16) + b"\\xff" * 32,
    ] + [login + os.urandom(random.randrange(1, 400)) for _ in range(60)]
    held = []
    for part in parts:
      s = socket.socket(socket.AF_UNIX)
      s.connect(path)
      try: s.sendall(part)
      except OSError: pass
      held.append(s)
    print("sent", flush=True)
    sys.stdin.read()
    """

  @Test func othersAreServedAndALockLocks() throws {
    let secrets = try SecretServiceRun()
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    let attacker = Process()
    attacker.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    attacker.arguments = ["-c", Self.attack, secrets.socket]
    let (input, output) = (Pipe(), Pipe())
    (attacker.standardInput, attacker.standardOutput) = (input, output)
    try attacker.launchInTurn()
    #expect(try output.fileHandleForReading.read(upToCount: 4) == Data("sent".utf8))
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    try secrets.lock()
    let locked = try secrets.tool("lookup", "service", "mail")
    #expect(locked.text.contains("locked"), "\(locked)")
    try secrets.unlock()
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    #expect(secrets.program.isRunning)
    try input.fileHandleForWriting.close()
    attacker.waitUntilExit()
    #expect(attacker.terminationStatus == 0)
  }

  /// Two clients at once that replace the same item make one item.
  @Test func clientsAtOnceMakeOneItem() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      import threading
      def work(n):
        bus = secretstorage.dbus_init()
        c = secretstorage.get_default_collection(bus)
        for m in range(10): c.create_item("a", {"k": "v"}, b"%d %d" % (n, m), replace=True)
      threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
      for t in threads: t.start()
      for t in threads: t.join()
      items = list(secretstorage.search_items(bus, {"k": "v"}))
      print(len(items), items[0].get_secret().endswith(b" 9"))
      """)
    #expect(text == "1 True")
  }
}
