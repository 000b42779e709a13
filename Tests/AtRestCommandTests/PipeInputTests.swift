import Foundation
import Testing

/// Keys, recipients, signatures and signed files come from pipes as well as from files.
@Suite struct PipeInputTests {
  /// Runs a script in which `atrest` is the command.
  private func shell(_ run: CommandRun, _ script: String) throws -> CommandRun.Result {
    let function = "atrest() { \(CommandRun.quoted(try CommandRun.binary().path)) \"$@\"; }; "
    return try run.execute("/bin/bash", ["-c", function + script])
  }

  private func signed() throws -> CommandRun {
    let run = try CommandRun.withStore()
    _ = try run.file("message", "a message")
    let made = try shell(
      run, "atrest keygen --tag k > k.pem && atrest sign --tag k message > message.sig")
    #expect(made.status == 0)
    return run
  }

  @Test(arguments: [
    "atrest verify --public-key-file <(cat k.pem) --signature-file <(cat message.sig) <(cat message)",
    "mkfifo p; cat message.sig > p & atrest verify --tag k --signature-file p message",
    "cat message | atrest verify --tag k --signature-file message.sig /dev/stdin",
    "atrest sign --tag k <(cat message) > other && atrest verify --tag k --signature-file other message",
  ]) func signaturesFromPipes(_ script: String) throws {
    let run = try signed()
    let done = try shell(run, script)
    #expect(done.status == 0 && done.text == "valid\n", "\(done.notes)")
    // Control: other contents in the same pipe are refused.
    _ = try run.file("message", "another message")
    if !script.contains("atrest sign") { #expect(try shell(run, script).status == 6) }
  }

  @Test func recipientsFromPipes() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("plain", "plain")
    let done = try shell(
      run,
      """
      atrest keygen --tag eva --algorithm x25519 --extractable > eva.pem
      atrest get --tag eva > eva.key
      atrest protect --recipient <(cat eva.pem) plain
      atrest unprotect -o - --identity <(cat eva.key) plain.protected
      """)
    #expect(done.status == 0 && done.text == "plain", "\(done.notes)")
  }

  @Test func stampsFromPipes() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("plain", "plain")
    #expect(try run("stamp", "plain").status == 0)
    let done = try shell(run, "atrest check --stamp <(cat plain.stamp) plain")
    #expect(done.status == 0, "\(done.notes)")
  }

  @Test(arguments: [
    ("nothing", 3, "There is no file nothing"), ("folder", 2, "folder is a folder"),
    ("large", 2, "large has more than 1 MiB"),
  ]) func errorsNameTheFile(_ name: String, _ status: Int32, _ message: String) throws {
    let run = try CommandRun.withStore()
    _ = try run.file("plain", "plain")
    try run.makeFolder("folder")
    try Data(count: (1 << 20) + 1).write(to: run.folder.appendingPathComponent("large"))
    for arguments in [
      ["protect", "--recipient", name, "plain"],
      ["verify", "--public-key-file", name, "--signature-file", "plain", "plain"],
    ] {
      let refused = try run.run(arguments, input: nil)
      #expect(refused.status == status && refused.notes.contains(message), "\(refused.notes)")
    }
  }

  /// An input without an end does not fill the memory.
  @Test func anInputWithoutAnEndIsRefused() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("plain", "plain")
    let refused = try run("protect", "--recipient", "/dev/zero", "plain")
    #expect(refused.status == 2 && refused.notes.contains("/dev/zero has more than 1 MiB"))
  }
}
