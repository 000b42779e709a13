import Foundation
import Testing

/// A message that is too large is refused by name, and neither ends the connection nor fills the agent's memory.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServiceSizeTests {
  @Test func theConnectionGoesOn() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      from jeepney.wrappers import DBusErrorResponse
      c = secretstorage.get_default_collection(bus)
      def peak():
        for line in open("/proc/\(secrets.program.identifier)/status"):
          if line.startswith("VmHWM"): return int(line.split()[1])
      c.create_item("first", {"k": "0"}, b"0")
      before = peak()
      for size in [1 << 20, 5 << 20, 60 << 20]:
        try: c.create_item("large", {"k": "large"}, b"x" * size)
        except DBusErrorResponse as error: print(error.name, error.data)
        c.create_item("small", {"k": str(size)}, b"small")
      print(peak() - before < 20 << 10)
      print(sorted(i.get_label() for i in c.get_all_items()))
      """)
    let lines = text.components(separatedBy: "\n")
    let refusal =
      "org.freedesktop.DBus.Error.LimitsExceeded ('A message has at most 1048576 bytes. "
      + "Store a smaller secret.',)"
    #expect(
      lines == [refusal, refusal, refusal, "True", "['first', 'small', 'small', 'small']"],
      "\(text)")
  }

  /// The rest of such a message is skipped to the byte, however it arrives.
  @Test func theNextMessageIsFound() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      import os, socket, time
      from jeepney import DBusAddress, new_method_call
      from jeepney.low_level import Parser
      s = socket.socket(socket.AF_UNIX)
      s.connect("\(secrets.socket)")
      s.sendall(b"\\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\\r\\n")
      assert s.recv(100).startswith(b"OK")
      bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
      calls = [new_method_call(bus, "Hello")]
      for size in [1 << 20, (1 << 20) + 1, (1 << 20) + 12345]:
        calls += [new_method_call(bus, "Ping", "ay", (b"l" * size,)), new_method_call(bus, "GetId")]
      quiet = new_method_call(bus, "Ping", "ay", (b"x" * (1 << 20),))
      quiet.header.flags = quiet.header.flags.no_reply_expected
      calls += [quiet, new_method_call(bus, "GetId")]
      data = b"BEGIN\\r\\n" + b"".join(c.serialise(serial=n + 1) for n, c in enumerate(calls))
      import threading
      def send():
        rest, n = data, 0
        while rest:
          n += 1
          part = 1 if n < 400 else 3001
          s.sendall(rest[:part])
          rest = rest[part:]
      thread = threading.Thread(target=send)
      thread.start()
      parser, answers = Parser(), []
      while len(answers) < 8:
        parser.add_data(s.recv(4096))
        while True:
          message = parser.get_next_message()
          if message is None: break
          answers.append(message)
      thread.join()
      from jeepney import HeaderFields
      print([a.header.fields[HeaderFields.reply_serial] for a in answers])
      print([a.header.message_type.name for a in answers])
      """)
    #expect(
      text.components(separatedBy: "\n") == [
        "[1, 2, 3, 4, 5, 6, 7, 9]",
        "['method_return', 'error', 'method_return', 'error', 'method_return', 'error', "
          + "'method_return', 'method_return']",
      ], "\(text)")
  }
}
