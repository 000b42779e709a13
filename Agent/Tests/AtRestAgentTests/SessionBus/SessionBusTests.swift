@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The agent on the session's bus, with clients of other people.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct SessionBusTests {
  private static let tool = URL(fileURLWithPath: "/usr/bin/secret-tool")
    .resolvingSymlinksInPath().path

  private static func grant(_ evidence: AgentEvidence, inSandboxes: Bool = false) -> AgentGrant {
    AgentGrant(
      evidence, groups: ["secret-service"], mayWrite: true, isForSandboxes: inSandboxes)
  }

  private static let user = AgentEvidence(.user, String(geteuid()))

  @Test func aSecretIsStoredAndFound() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(on: TestBus(run), run)
    let stored = try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    #expect(stored.status == 0, "\(stored)")
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    // It is the same service as on the agent's own bus.
    let own = try run.execute(
      "/usr/bin/secret-tool", ["lookup", "service", "mail"],
      with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(secrets.socket)"])
    #expect(own.text == "mail secret")
  }

  /// The other half of the clients: properties, signals, sessions with encryption.
  @Test func secretStorageWorks() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(on: TestBus(run), run)
    let text = try secrets.python(
      """
      c = secretstorage.create_collection(bus, "work")
      item = c.create_item("Work", {"k": "v"}, b"work secret")
      print(item.get_secret(), item.get_attributes(), [i.get_label() for i in c.get_all_items()])
      item.delete()
      print(list(c.search_items({"k": "v"})))
      """)
    #expect(text == "b'work secret' {'k': 'v'} ['Work']\n[]")
  }

  @Test func aLockedSecretIsRefusedByName() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(on: TestBus(run), run)
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    try secrets.lock()
    let found = try secrets.tool("lookup", "service", "mail")
    #expect(found.status != 0 && found.text.contains("locked"), "\(found)")
    try secrets.unlock()
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
  }

  @Test func aGrantNamesAProgramOnTheBus() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(on: TestBus(run), run, isGranted: false)
    try secrets.give(Self.grant(AgentEvidence(.systemProgram, Self.tool)))
    #expect(
      try secrets.tool("store", "--label=Mail", "service", "mail", input: "x").status == 0)
    // Another program of the user has no grant.
    let refused = try secrets.python(
      """
      try: print(list(secretstorage.search_items(bus, {})))
      except Exception as error: print(error)
      """)
    #expect(refused.contains("no grant"), "\(refused)")
  }

  /// A process number may be that of another program by now, so it proves nothing.
  @Test func aBusThatKnowsOnlyNumbersProvesNothing() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(
      on: TestBus(run, .number), run, isGranted: false)
    try secrets.give(Self.grant(AgentEvidence(.systemProgram, Self.tool)))
    try secrets.give(Self.grant(Self.user))
    let refused = try secrets.tool("store", "--label=Mail", "service", "mail", input: "x")
    #expect(refused.status != 0 && refused.text.contains("no grant"), "\(refused)")
    #expect(refused.text.contains("--every-program --in-sandboxes"))
    // Control: what is granted to everybody, in sandboxes too.
    try secrets.give(Self.grant(Self.user, inSandboxes: true))
    let stored = try secrets.tool("store", "--label=Mail", "service", "mail", input: "x")
    #expect(stored.status == 0, "\(stored)")
  }

  @Test(.enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare and user namespaces"))
  func aProgramInASandboxIsSeenAsOne() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(on: TestBus(run), run)
    let script =
      """
      import os
      # In its user namespace the program seems to be root.
      os.getuid = os.geteuid = lambda: \(geteuid())
      import secretstorage
      bus = secretstorage.dbus_init()
      try: print(list(secretstorage.search_items(bus, {})))
      except Exception as error: print(error)
      """
    let values = ["DBUS_SESSION_BUS_ADDRESS": secrets.address]
    let inside = try run.execute(
      "/usr/bin/unshare", ["-Urm", "/usr/bin/python3", "-c", script], with: values)
    #expect(inside.text.contains("no grant"), "\(inside)")
    let outside = try run.execute("/usr/bin/python3", ["-c", script], with: values)
    #expect(outside.text == "[]\n", "\(outside)")
  }

  /// Sessions, prompts and what a client was told belong to its connection.
  @Test func aSessionOfAnotherClientIsNone() throws {
    let run = try AgentRun()
    let secrets = try SecretServiceRun(on: TestBus(run), run)
    let text = try secrets.python(
      """
      from secretstorage.util import DBusAddressWrapper
      other = secretstorage.dbus_init()
      item = secretstorage.get_default_collection(bus).create_item("A", {"a": "b"}, b"x")
      path = "/org/freedesktop/secrets"
      service = DBusAddressWrapper(path, "org.freedesktop.Secret.Service", bus)
      session = service.call("OpenSession", "sv", "plain", ("s", ""))[1]
      def secret(connection):
        try: return connection.call("GetSecret", "o", session)[0][2]
        except Exception as error: return type(error).__name__, str(error)
      print(secret(DBusAddressWrapper(item.item_path, "org.freedesktop.Secret.Item", bus)))
      print("no session" in str(secret(DBusAddressWrapper(item.item_path, "org.freedesktop.Secret.Item", other))))
      """)
    #expect(text == "b'x'\nTrue", "\(text)")
  }
}
