@_spi(Tools) import AtRestBus
import Foundation
import Testing

@testable import AtRestAgent

/// A session's bus of a test's own: `dbus-daemon`, and a proxy that the agent connects to.
///
/// The proxy answers one call in the daemon's place, `GetConnectionCredentials`: with a descriptor of the process, as
/// dbus 1.16 does, or in another way (``Knowledge``).
final class TestBus {
  static let isInstalled = SecretServiceRun.isInstalled && AgentRun.isInstalled("dbus-daemon")

  /// What the agent learns of a process.
  enum Knowledge: String {
    case descriptor
    /// A number only, as dbus 1.14 knows.
    case number
    /// The first answer has a descriptor that does not arrive, as if the agent had no room for it.
    case loss
    /// Nothing: there is no answer while the file `silent` is in the folder `bus`.
    case silence
  }

  let folder: URL
  private let run: AgentRun
  private var daemon: Int32 = 0
  private var proxy: Int32 = 0
  /// The address for programs.
  let address: String
  /// The address for the agent.
  let agentAddress: String

  /// - Parameters:
  ///   - activatable: The name of a program that the bus would start.
  init(_ run: AgentRun, _ knowledge: Knowledge = .descriptor, activatable: String? = nil) throws {
    self.run = run
    folder = run.folder.appendingPathComponent("bus")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    address = "unix:path=\(folder.path)/daemon"
    agentAddress = "unix:path=\(folder.path)/proxy"
    // The programs that the system's bus would start are not those of a test.
    let services = folder.appendingPathComponent("services")
    try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
    let configuration = """
      <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <servicedir>\(services.path)</servicedir>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
      <allow own="*"/></policy><limit name="max_replies_per_connection">50000</limit></busconfig>
      """
    try Data(configuration.utf8).write(to: folder.appendingPathComponent("configuration"))
    if let activatable {
      try Data("[D-BUS Service]\nName=\(activatable)\nExec=/bin/false\n".utf8).write(
        to: services.appendingPathComponent("service.service"))
    }
    try start()
    let script = folder.appendingPathComponent("proxy.py")
    try Data(Self.script.utf8).write(to: script)
    if knowledge == .silence { try Data().write(to: folder.appendingPathComponent("silent")) }
    proxy = try run.start(
      "/usr/bin/python3 '\(script.path)' '\(folder.path)/proxy' '\(folder.path)/daemon' \(knowledge.rawValue)"
    )
    try #require(eventually { isListening(folder.path + "/proxy") })
  }

  deinit { for process in [proxy, daemon] where process > 0 { kill(process, SIGKILL) } }

  /// Starts the daemon.
  func start() throws {
    daemon = try run.start("dbus-daemon --config-file='\(folder.path)/configuration' --nofork")
    try #require(eventually { isListening(folder.path + "/daemon") })
  }

  /// Ends the daemon, and with it all connections.
  func end() throws {
    kill(daemon, SIGKILL)
    try #require(eventually { !isListening(folder.path + "/daemon") })
    unlink(folder.path + "/daemon")
  }

  /// Returns the unique name of the owner of a name, or nil.
  func owner(of name: String) throws -> String? {
    let bus = try BusConnection(.init(address: address, names: []))
    let reply = try? bus.call(
      "GetNameOwner", of: BusConnection.bus, interface: BusConnection.bus, .text(name))
    return reply?.body.first?.string
  }

  private static let script = """
    import array, os, socket, sys, threading
    from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call, new_method_return
    from jeepney.io.blocking import open_dbus_connection
    from jeepney.low_level import Parser

    place, bus, knowledge = sys.argv[1:4]
    asked = []
    dbus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")

    class End(Exception): pass

    def take(sock, count, fds):
      data = b""
      while len(data) < count:
        part, control, _, _ = sock.recvmsg(count - len(data), 1024)
        for level, kind, numbers in control:
          if kind == socket.SCM_RIGHTS: fds.frombytes(numbers[:len(numbers) // 4 * 4])
        if not part: raise End
        data += part
      return data

    def message(sock):
      fds = array.array("i")
      head = take(sock, 16, fds)
      order = "little" if head[:1] == b"l" else "big"
      body, fields = int.from_bytes(head[4:8], order), int.from_bytes(head[12:16], order)
      header = take(sock, (fields + 7) // 8 * 8, fds)
      return head + header, take(sock, body, fds), fds

    def give(sock, lock, data, fds):
      with lock:
        control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)] if len(fds) else []
        sent = sock.sendmsg([data], control)
        sock.sendall(data[sent:])
      for fd in fds: os.close(fd)

    def line(sock):
      data = b""
      while not data.endswith(b"\\n"): data += take(sock, 1, array.array("i"))
      return data

    def answer(client, lock, data, asker):
      asked.append(1)
      if knowledge == "silence" and os.path.exists(os.path.dirname(place) + "/silent"): return True
      parser = Parser()
      parser.add_data(data)
      call = parser.get_next_message()
      reply = asker.send_and_get_reply(new_method_call(dbus, "GetConnectionUnixProcessID", "s", call.body))
      if reply.header.message_type == MessageType.error: return False
      process = reply.body[0]
      fds = array.array("i")
      values = {"UnixUserID": ("u", os.geteuid()), "ProcessID": ("u", process)}
      if knowledge != "number": values["ProcessFD"] = ("h", os.pidfd_open(process))
      reply = new_method_return(call, "a{sv}", (values,))
      reply.header.fields[HeaderFields.sender] = "org.freedesktop.DBus"
      data = reply.serialise(serial=1, fds=fds)
      give(client, lock, data, [] if knowledge == "loss" and len(asked) == 1 else fds)
      return True

    def copy(source, target, lock, client=None, asker=None):
      try:
        while True:
          header, body, fds = message(source)
          if client and b"GetConnectionCredentials" in header and answer(*client, header + body, asker): continue
          give(target, lock, header + body, fds)
      except (End, OSError): pass
      for sock in (source, target):
        try: sock.shutdown(socket.SHUT_RDWR)
        except OSError: pass

    def serve(client):
      try:
        upper = socket.socket(socket.AF_UNIX)
        upper.connect(bus)
        while True:
          words = line(client)
          upper.sendall(words)
          if words.strip(b"\\0").startswith(b"BEGIN"): break
          client.sendall(line(upper))
        asker = open_dbus_connection("unix:path=" + bus)
      except (End, OSError): return client.close()
      own, theirs = threading.Lock(), threading.Lock()
      threading.Thread(target=copy, args=(client, upper, theirs, (client, own), asker), daemon=True).start()
      copy(upper, client, own)

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place)
    listener.listen(64)
    while True:
      client, _ = listener.accept()
      threading.Thread(target=serve, args=(client,), daemon=True).start()
    """
}
