@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Before the first unlock, the call that looks for an item asks for the passcode, where somebody can be asked.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServiceFirstUnlockTests {
  /// A store with an item, whose agent was started again.
  private func restarted(
    passcode: String? = AgentRun.passcode, isGranted: Bool = true
  ) throws -> SecretServiceRun {
    let secrets = try SecretServiceRun()
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    if !isGranted {
      let grants: [AgentGrant] = try secrets.program.connect().document(.grants)
      for grant in grants {
        try secrets.program.connect().send(
          .removeGrant(grant.id, passcode: AgentRun.secret(AgentRun.passcode)))
      }
    }
    if let passcode { try secrets.run.asker.set("passcode", passcode + "\n") }
    return try secrets.restarted(asks: true)
  }

  @Test func aSearchAsksForThePasscode() throws {
    let secrets = try restarted()
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    let questions = secrets.run.asker.questions
    #expect(questions.count == 1)
    #expect(questions.first?.contains("secret-tool\" asks to unlock the store.") == true)
    // It is unlocked for all, and nobody is asked again.
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    #expect(secrets.run.asker.questions.count == 1)
  }

  @Test func anItemIsStored() throws {
    let secrets = try restarted()
    let stored = try secrets.tool("store", "--label=b", "k", "v", input: "new")
    #expect(stored.status == 0, "\(stored)")
    #expect(try secrets.tool("lookup", "k", "v").text == "new")
    #expect(secrets.run.asker.questions.count == 1)
  }

  /// Tools that show what there is disturb nobody.
  @Test func aListOfObjectsAsksNobody() throws {
    let secrets = try restarted()
    let text = try secrets.python(
      """
      from jeepney import DBusAddress, new_method_call
      def call(path, interface, name, signature=None, *body):
        address = DBusAddress(path, "org.freedesktop.secrets", interface)
        return bus.send_and_get_reply(new_method_call(address, name, signature, body)).header.message_type.name
      print(sorted(c.get_label() for c in secretstorage.get_all_collections(bus)))
      print(secretstorage.get_default_collection(bus).is_locked())
      for path in ["/", "/org/freedesktop/secrets", "/org/freedesktop/secrets/collection/login"]:
        print(call(path, "org.freedesktop.DBus.Introspectable", "Introspect"))
      login = "/org/freedesktop/secrets/collection/login"
      properties = "org.freedesktop.DBus.Properties"
      print(call(login, properties, "GetAll", "s", "org.freedesktop.Secret.Collection"))
      print(call(login + "/1", properties, "Get", "ss", "org.freedesktop.Secret.Item", "Label"))
      """)
    #expect(
      text.components(separatedBy: "\n") == [
        "['Login', 'Session']", "True", "method_return", "method_return", "method_return", "error",
        "error",
      ])
    #expect(secrets.run.asker.questions.isEmpty)
  }

  /// What the user does not unlock is locked. After some refusals, the user is left alone for a while.
  @Test func aRefusalIsALock() throws {
    let secrets = try restarted(passcode: nil)
    for _ in 1...4 {
      let found = try secrets.tool("lookup", "service", "mail")
      #expect(found.status != 0 && found.text.contains("unlocked since"), "\(found)")
    }
    #expect(secrets.run.asker.questions.count == 3)
    // Control: it was there.
    try secrets.unlock()
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
  }

  @Test func theErrorIsThatOfALock() throws {
    let secrets = try restarted(passcode: "wrong")
    let text = try secrets.python(
      """
      from jeepney.wrappers import DBusErrorResponse
      try: print(list(secretstorage.search_items(bus, {"service": "mail"})))
      except DBusErrorResponse as error: print(error.name)
      """)
    #expect(text == "org.freedesktop.Secret.Error.IsLocked")
    #expect(secrets.run.asker.questions.count == 3)
  }

  /// The passcode unlocks the store, and gives no grant.
  @Test func aProgramWithoutAGrantLearnsNothing() throws {
    let secrets = try restarted(isGranted: false)
    try secrets.run.asker.set("no")
    for name in ["mail", "other"] {
      let found = try secrets.tool("lookup", "service", name)
      #expect(found.status != 0 && !found.text.contains("mail secret"), "\(found)")
      #expect(found.text.contains("did not allow"), "\(found)")
    }
    #expect(secrets.run.asker.questions.filter { $0.contains("to unlock the store") }.count == 1)
  }

  /// The question disappears with the program that caused it, and a lock waits for no question.
  @Test func aQuestionIsWithdrawnAndKeepsNoLockWaiting() throws {
    let secrets = try restarted()
    let asker = secrets.run.asker
    try asker.set("wait")
    let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(secrets.socket)"]
    let client = try secrets.run.start(
      "/usr/bin/secret-tool lookup service mail", with: environment)
    #expect(eventually { asker.exists("open") })
    let connection = try secrets.program.connect()
    let start = ContinuousClock.now
    try connection.send(.lock)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(asker.exists("open"))
    rmdir(asker.path + ".open")
    kill(client, SIGKILL)
    // The next one is asked while the file still exists for which the first one waits.
    let next = try secrets.run.start("/usr/bin/secret-tool lookup service mail", with: environment)
    #expect(eventually { asker.questions.count == 2 })
    kill(next, SIGKILL)
  }

  #if os(Linux)
    /// Nobody is asked for a program in a sandbox, which may not unlock the store.
    @Test(
      .enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare and user namespaces"))
    func aSandboxAsksNobody() throws {
      let secrets = try restarted()
      let found = try secrets.run.execute(
        "/usr/bin/unshare", ["-Uc", "/usr/bin/secret-tool", "lookup", "service", "mail"],
        with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(secrets.socket)"])
      #expect(found.status != 0 && found.text.contains("unlocked since"), "\(found)")
      #expect(secrets.run.asker.questions.isEmpty)
      // Control: the same program without a sandbox.
      #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    }
  #endif
}
