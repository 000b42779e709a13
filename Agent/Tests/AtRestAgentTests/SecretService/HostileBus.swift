import Foundation
import Testing

@testable import AtRestAgent

/// A bus that gives each client a name, and answers its first call of a program in the way of an attack.
struct HostileBus {
  let address: String
  private let process: Int32

  /// - Parameters:
  ///   - attack: A part of a script that sends to the client `sock`, before the answer to the call `call`.
  ///   - name: The name that it gives, in Python.
  ///   - silent: The number of clients of the agent's bus, the first ones, to which it says nothing.
  init(_ run: AgentRun, _ attack: String = "pass", name: String = "':1.77'", silent: Int = 0) throws
  {
    let place = run.folder.path + "/hostile"
    address = "unix:path=" + place
    let script = run.folder.appendingPathComponent("hostile.py")
    let body = attack.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
    try Data(
      (TestService.head + """
        import os, socket, sys, threading
        from jeepney.low_level import Header, Message, Parser
        def send(message, sender, destination=":1.77", serial=9):
          fields = message.header.fields
          if sender: fields[HeaderFields.sender] = sender
          if destination: fields[HeaderFields.destination] = destination
          else: fields.pop(HeaderFields.destination, None)
          sock.sendall(message.serialise(serial=serial))
        def reply(serial, sender, body="forged", destination=":1.77"):
          message = new_method_return(call, "s", (body,))
          message.header.fields[HeaderFields.reply_serial] = serial
          send(message, sender, destination)
        def signal(sender, member, path="/", interface="org.example.Test", signature="", body=(), destination=None):
          send(new_signal(DBusAddress(path, interface=interface), member, signature, body), sender, destination)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("\(place)")
        listener.listen(16)
        while True:
          sock, _ = listener.accept()
          if os.fork():
            sock.close()
            continue
          parser, data = Parser(), b""
          try:
            while b"BEGIN\\r\\n" not in data:
              part = sock.recv(1000)
              if not part: os._exit(0)
              data += part
            # A client of the agent's bus sends all at once.
            for number in range(1, \(silent) + 1) if data == part else ():
              try: os.close(os.open(f"\(run.folder.path)/silent-{number}", os.O_CREAT | os.O_EXCL))
              except FileExistsError: continue
              while sock.recv(1000): pass
              os._exit(0)
            sock.sendall(b"OK 00112233445566778899aabbccddeeff\\r\\n")
            if b"NEGOTIATE" in data.split(b"BEGIN")[0]: sock.sendall(b"AGREE_UNIX_FD\\r\\n")
            parser.add_data(data.split(b"BEGIN\\r\\n")[1])
            while True:
              call = parser.get_next_message()
              if call is None:
                data = sock.recv(65536)
                if not data: break
                parser.add_data(data)
                continue
              fields = call.header.fields
              if fields.get(HeaderFields.member) == "Hello": reply(call.header.serial, "org.freedesktop.DBus", \(name))
              elif fields[HeaderFields.destination] == "org.freedesktop.DBus": send(new_method_return(call), "org.freedesktop.DBus")
              else:
        \(body)
                reply(call.header.serial, ":1.5", "true")
          except OSError: pass
          os._exit(0)
        """).utf8
    ).write(to: script)
    process = try run.start("/usr/bin/python3 '\(script.path)'")
    try #require(eventually { isListening(place) })
  }

  func end() { kill(process, SIGKILL) }
}
