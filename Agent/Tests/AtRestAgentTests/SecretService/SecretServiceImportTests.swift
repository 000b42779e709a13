@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

/// `atrest import secret-service` copies the items of another keyring, each once.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServiceImportTests {
  /// A store, and another one whose Secret Service is the keyring.
  private struct Scene {
    let keyring: SecretServiceRun
    let own: SecretServiceRun

    init() throws {
      keyring = try SecretServiceRun()
      own = try SecretServiceRun()
      try keyring.python(
        """
        c = secretstorage.get_default_collection(bus)
        c.create_item("Mail \u{1b}[31m", {"service": "mail", "user": "eva"}, b"mail secret")
        c.create_item("Bytes", {"k": "v", "empty": ""}, b"\\x00\\xff", content_type="application/octet-stream")
        secretstorage.create_collection(bus, "work 1").create_item("Work", {"service": "work"}, b"work secret")
        """)
    }

    func run(_ options: String...) throws -> (status: Int32, text: String) {
      let atrest = try CommandLineProgram(own.run)
      return try own.run.execute(
        atrest.path,
        ["import", "secret-service", "--from", "unix:path=\(keyring.socket)"] + options,
        with: atrest.values.merging(["ATREST_AGENT": own.program.socket]) { $1 })
    }
  }

  @Test func itemsAreCopiedOnce() throws {
    let scene = try Scene()
    let shown = try scene.run("--dry-run")
    #expect(shown.status == 0 && shown.text.contains("service=mail user=eva"), "\(shown)")
    #expect(!shown.text.contains("\u{1b}") && !shown.text.contains("mail secret"))
    #expect(try scene.own.tool("lookup", "service", "mail").status == 1)
    let copied = try scene.run("--yes")
    #expect(copied.status == 0 && copied.text.contains("copied: 3, there already: 0"), "\(copied)")
    let text = try scene.own.python(
      """
      for item in sorted(secretstorage.search_items(bus, {}), key=lambda i: i.get_label()):
        print(repr(item.get_label()), sorted(item.get_attributes().items()), item.get_secret(), item.get_secret_content_type())
      print(sorted(c.get_label() for c in secretstorage.get_all_collections(bus)))
      """)
    #expect(
      text.components(separatedBy: "\n") == [
        "'Bytes' [('empty', ''), ('k', 'v')] b'\\x00\\xff' application/octet-stream",
        "'Mail \\x1b[31m' [('service', 'mail'), ('user', 'eva')] b'mail secret' text/plain",
        "'Work' [('service', 'work')] b'work secret' text/plain", "['Login', 'Session', 'work 1']",
      ])
    let again = try scene.run("--yes")
    #expect(again.status == 0 && again.text.contains("copied: 0, there already: 3"), "\(again)")
  }

  @Test func anotherSecretIsNeverReplaced() throws {
    let scene = try Scene()
    try scene.own.tool(
      "store", "--label=Own", "service", "mail", "user", "eva", input: "own secret")
    let copied = try scene.run("--yes")
    #expect(copied.status == 1 && copied.text.contains("copied: 2, there already: 0"), "\(copied)")
    #expect(copied.text.contains("has another secret") && copied.text.contains("service=mail"))
    #expect(try scene.own.tool("lookup", "service", "mail").text == "own secret")
  }

  @Test func aLockedKeyringIsNeverEmpty() throws {
    let scene = try Scene()
    try scene.keyring.lock()
    let locked = try scene.run("--yes")
    #expect(locked.status == 4 && locked.text.contains("locked"), "\(locked)")
  }

  @Test func theOwnAgentIsNoKeyringToImportFrom() throws {
    let own = try SecretServiceRun()
    let atrest = try CommandLineProgram(own.run)
    let refused = try own.run.execute(
      atrest.path, ["import", "secret-service", "--from", "unix:path=\(own.socket)"],
      with: atrest.values.merging(["ATREST_AGENT": own.program.socket]) { $1 })
    #expect(refused.status == 2 && refused.text.contains("own agent"), "\(refused)")
  }
}
