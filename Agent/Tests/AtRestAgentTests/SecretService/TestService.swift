import Foundation
import Testing

@testable import AtRestAgent

/// A program on a session's bus, `org.example.Service`, which writes down what it is called.
struct TestService {
  private let run: AgentRun
  private let process: Int32
  private var file: URL { run.folder.appendingPathComponent("calls") }

  /// Starts the program, and waits until it has its name.
  ///
  /// - Parameter name: A name in place of its own.
  init(_ bus: TestBus, _ run: AgentRun, name: String = "org.example.Service") throws {
    self.run = run
    let script = run.folder.appendingPathComponent("service.py")
    try Data(Self.script.utf8).write(to: script)
    process = try run.start(
      "/usr/bin/python3 '\(script.path)' '\(bus.address)' '\(name)' '\(run.folder.path)/calls'")
    try #require(try eventually { try bus.owner(of: name) != nil })
  }

  func end() { kill(process, SIGKILL) }

  /// The methods that were called.
  var calls: [String] {
    (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }

  /// `call(bus, member, signature, arguments)` returns the body of the answer, or the last part of an error's name.
  static let head = """
    from jeepney import DBusAddress, new_error, new_method_call, new_method_return, new_signal
    from jeepney.low_level import HeaderFields, MessageType
    def answer(bus, address, member, signature="", arguments=()):
      reply = bus.send_and_get_reply(new_method_call(address, member, signature, arguments), timeout=30)
      if reply.header.message_type != MessageType.error: return reply.body
      return reply.header.fields[HeaderFields.error_name].split(".")[-1]
    dbus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
    service = DBusAddress("/org/example", "org.example.Service", "org.example.Test")
    secrets = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
    def call(bus, member, signature="", arguments=()): return answer(bus, service, member, signature, arguments)
    def ask(bus, member, signature="", arguments=()): return answer(bus, dbus, member, signature, arguments)

    """

  private static let script =
    head + """
      import os, sys
      from jeepney.io.blocking import open_dbus_connection
      bus = open_dbus_connection(sys.argv[1], enable_fds=True)
      assert ask(bus, "RequestName", "su", (sys.argv[2], 4)) == (1,)
      own = DBusAddress("/org/example", interface="org.example.Test")
      while True:
        message = bus.receive()
        if message.header.message_type != MessageType.method_call: continue
        fields, body = message.header.fields, message.body
        member = fields[HeaderFields.member]
        with open(sys.argv[3], "a") as file: file.write(member + "\\n")
        if member == "Hang": continue
        reply = None
        if member == "Echo": reply = new_method_return(message, "s", body)
        if member == "Who": reply = new_method_return(message, "s", (fields[HeaderFields.sender],))
        if member == "Take":
          with body[0].to_file("r") as file: reply = new_method_return(message, "s", (file.read(),))
        if member == "Give":
          ends = os.pipe()
          os.write(ends[1], b"given")
          os.close(ends[1])
          reply = new_method_return(message, "h", (ends[0],))
        if member == "Large": reply = new_method_return(message, "ay", (bytes(body[0]),))
        if member == "Emit":
          for number in range(body[0]): bus.send(new_signal(own, "Tick", "say", (str(number), bytes(body[1]))))
          reply = new_method_return(message)
        if member == "Speak":
          # As the keyring that it is on that bus.
          for path, interface in (("/org/freedesktop/secrets", "org.example.Test"), ("/", "org.freedesktop.Secret.Service")):
            bus.send(new_signal(DBusAddress(path, interface=interface), "Forged"))
          bus.send(new_signal(own, "Tick", "s", ("spoken",)))
          reply = new_method_return(message)
        bus.send(reply or new_error(message, "org.example.Error.Refused", "s", ("refused",)))
      """
}
