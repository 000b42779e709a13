import Foundation
import Testing

@Suite struct BackupCommandTests {
  @Test func anotherDeviceOpensWhatMayLeave() throws {
    let run = try CommandRun.withStore()
    let passphrase = try run.file("passphrase", "a long passphrase\n")
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    _ = try run(
      "add", "--service", "bound", "--account", "a", "--accessible",
      "when-unlocked-this-device-only", input: "two")
    #expect(try run("backup", "b", "--passphrase-file", passphrase).status == 0)
    let other = try CommandRun.withStore()
    let backup = run.folder.appendingPathComponent("b").path
    #expect(try other("restore", backup, "--passphrase-file", passphrase).status == 0)
    #expect(try other("get", "--service", "s", "--account", "a").text == "one")
    #expect(try other("get", "--service", "bound", "--account", "a").status == 3)
    #expect(try other("restore", backup, "--passphrase-file", passphrase).status == 1)
    #expect(
      try other("restore", backup, "--passphrase-file", passphrase, "--on-conflict", "keep")
        .status == 0)
  }
}
