import Foundation
import Testing

/// `secret-tool`, whose library most desktop programs use, with the agent as its only bus.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretToolTests {
  @Test func aSecretIsStoredFoundReplacedAndCleared() throws {
    let secrets = try SecretServiceRun()
    let mail = ["service", "mail", "user", "eva"]
    func store(_ secret: String) throws -> Int32 {
      try secrets.run.execute(
        "/usr/bin/env",
        ["DBUS_SESSION_BUS_ADDRESS=unix:path=\(secrets.socket)", "secret-tool", "store"]
          + ["--label=Mail"] + mail, input: secret
      ).status
    }
    #expect(try store("first secret") == 0)
    #expect(try secrets.tool("lookup", "service", "mail", "user", "eva").text == "first secret")
    #expect(try store("second secret") == 0)
    #expect(try secrets.tool("lookup", "service", "mail").text == "second secret")
    let found = try secrets.tool("search", "--all", "service", "mail").text
    #expect(found.contains("label = Mail") && found.contains("attribute.user = eva"))
    #expect(found.components(separatedBy: "label = ").count == 2)
    #expect(try secrets.tool("lookup", "service", "other").status == 1)
    #expect(try secrets.tool("clear", "service", "mail").status == 0)
    #expect(try secrets.tool("lookup", "service", "mail").status == 1)
  }

  /// What is locked is never missing: the client gets an error that says so.
  @Test func aLockedSecretIsRefusedByName() throws {
    let secrets = try SecretServiceRun()
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    try secrets.lock()
    for command in [["lookup", "service", "mail"], ["search", "--unlock", "service", "mail"]] {
      let answer = try secrets.run.execute(
        "/usr/bin/env",
        ["DBUS_SESSION_BUS_ADDRESS=unix:path=\(secrets.socket)", "secret-tool"] + command)
      #expect(answer.text.contains("locked"), "\(command): \(answer)")
      #expect(!answer.text.contains("mail secret"))
    }
    let stored = try secrets.tool("store", "--label=Mail", "service", "mail", input: "x")
    #expect(stored.status != 0 && stored.text.contains("locked"), "\(stored)")
    try secrets.unlock()
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
  }

  /// The agent decides as it does on its own socket.
  @Test func aProgramWithoutAGrantGetsNothing() throws {
    let secrets = try SecretServiceRun(isGranted: false)
    let stored = try secrets.tool("store", "--label=Mail", "service", "mail", input: "x")
    #expect(stored.status != 0 && stored.text.contains("grant"), "\(stored)")
    let found = try secrets.tool("lookup", "service", "mail")
    #expect(found.status != 0 && found.text.contains("grant"), "\(found)")
    try secrets.grant(mayWrite: false)
    #expect(try secrets.tool("lookup", "service", "mail").text.isEmpty)
    let refused = try secrets.tool("store", "--label=Mail", "service", "mail", input: "x")
    #expect(refused.status != 0 && refused.text.contains("grant"), "\(refused)")
  }
}
