import Foundation
import Testing

@testable import AtRestAgent

/// The names that programs take on the agent's bus. A program with a window ends if it gets none.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServiceNameTests {
  /// `ask(bus, member, name)` returns the answer of the bus, or the last part of an error's name.
  private static let ask = """
    from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call
    def ask(bus, member, name):
      address = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
      arguments = ("su", (name, 4)) if member == "RequestName" else ("s", (name,))
      reply = bus.send_and_get_reply(new_method_call(address, member, *arguments))
      if reply.header.message_type != MessageType.error: return reply.body[0]
      return reply.header.fields[HeaderFields.error_name].split(".")[-1]

    """

  @Test func aNameHasOneOwnerWhomNobodySees() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      Self.ask + """
        import time
        other, name = secretstorage.dbus_init(), "org.example.App"
        print(ask(bus, "RequestName", name), ask(bus, "RequestName", name), ask(other, "RequestName", name))
        print(ask(other, "NameHasOwner", name), ask(other, "GetNameOwner", name), ask(other, "ReleaseName", name))
        call = new_method_call(DBusAddress("/", name, "org.example.App"), "Open")
        print(other.send_and_get_reply(call).header.fields[HeaderFields.error_name].split(".")[-1])
        # It is free when its owner gives it back, and when its owner ends.
        print(ask(bus, "ReleaseName", name), ask(bus, "ReleaseName", name), ask(other, "RequestName", name))
        other.close()
        end = time.monotonic() + 20
        while ask(bus, "RequestName", name) != 1 and time.monotonic() < end: pass
        print(ask(bus, "RequestName", name))
        """)
    #expect(
      text.split(separator: "\n") == [
        "1 4 3", "False NameHasNoOwner 3", "ServiceUnknown", "1 2 1", "4",
      ], "\(text)")
  }

  @Test func theAgentsNamesAndOthersAreRefused() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      Self.ask + """
        for name in ["org.freedesktop.secrets", "org.freedesktop.DBus"]: print(ask(bus, "RequestName", name))
        print(ask(bus, "RequestName", ":1.7"))
        print([ask(bus, "RequestName", f"org.example.App{n}") for n in range(17)])
        """)
    let answers = String(repeating: "1, ", count: 16) + "'LimitsExceeded'"
    #expect(
      text.split(separator: "\n") == [
        "AccessDenied", "AccessDenied", "InvalidArgs", "[\(answers)]",
      ],
      "\(text)")
    // The service is found as before.
    #expect(try secrets.tool("lookup", "service", "mail").status == 1)
  }

  @Test(arguments: [
    "org.example.App", "a.b", "_a.-b_9", "org." + String(repeating: "x", count: 251),
  ])
  func namesAreValid(name: String) { #expect(BusNames.isValid(name)) }

  @Test(arguments: [
    "", "org", ".org", "org.", "org..App", "org.9app", "9org.app", "org.ex ample", "org.é", ":1.5",
    "org.a/b", "org." + String(repeating: "x", count: 252),
  ])
  func otherTextsAreNot(name: String) { #expect(!BusNames.isValid(name)) }

  /// It could otherwise keep other programs from starting.
  @Test(.enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare and user namespaces"))
  func aProgramInASandboxGetsNone() throws {
    let secrets = try SecretServiceRun()
    let script =
      """
      import os
      # In its user namespace the program seems to be root.
      os.getuid = os.geteuid = lambda: \(geteuid())
      import secretstorage
      bus = secretstorage.dbus_init()

      """ + Self.ask + #"print(ask(bus, "RequestName", "org.example.App"))"#
    let values = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(secrets.socket)"]
    let inside = try secrets.run.execute(
      "/usr/bin/unshare", ["-Urm", "/usr/bin/python3", "-c", script], with: values)
    #expect(inside.text == "AccessDenied\n")
    let outside = try secrets.run.execute("/usr/bin/python3", ["-c", script], with: values)
    #expect(outside.text == "1\n")
  }
}
