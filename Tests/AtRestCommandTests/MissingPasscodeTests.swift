import Foundation
import Testing

/// `add` says once a day that the store has no passcode.
@Suite struct MissingPasscodeTests {
  private func add(_ run: CommandRun, _ account: String) throws -> CommandRun.Result {
    try run("add", "--service", "s", "--account", account, input: "one")
  }

  /// The notices that the device remembers.
  private func notices(_ run: CommandRun) throws -> [URL] {
    let device = run.folder.appendingPathComponent("device")
    return try FileManager.default.contentsOfDirectory(at: device, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix("-passcode-notice") }
  }

  private func told(at time: Int64, _ run: CommandRun) throws {
    let notice = try #require(try notices(run).first)
    try withUnsafeBytes(of: time.bigEndian) { try Data($0).write(to: notice) }
  }

  @Test func isToldOnce() throws {
    let run = try CommandRun.withStore()
    let first = try add(run, "a")
    #expect(first.status == 0)
    #expect(first.text.isEmpty)
    #expect(first.notes.hasPrefix("atrest: No passcode is set"))
    #expect(first.notes.split(separator: "\n").count == 1)
    #expect(try add(run, "b").notes.isEmpty)
  }

  @Test func isToldAgainAfterADay() throws {
    let run = try CommandRun.withStore()
    _ = try add(run, "a")
    let now = Int64(Date().timeIntervalSince1970)
    try told(at: now - 86_300, run)
    #expect(try add(run, "b").notes.isEmpty)
    try told(at: now - 86_401, run)
    #expect(try add(run, "c").notes.contains("No passcode is set"))
    #expect(try add(run, "d").notes.isEmpty)
  }

  /// The clock ran ahead and was set right, or the memory was lost or damaged.
  @Test func isToldAgainRatherThanNever() throws {
    let run = try CommandRun.withStore()
    _ = try add(run, "a")
    try told(at: Int64(Date().timeIntervalSince1970) + 1_000_000, run)
    #expect(try add(run, "b").notes.contains("No passcode is set"))
    #expect(try add(run, "c").notes.isEmpty)
    try Data([1]).write(to: #require(try notices(run).first))
    #expect(try add(run, "d").notes.contains("No passcode is set"))
    try FileManager.default.removeItem(at: #require(try notices(run).first))
    #expect(try add(run, "e").notes.contains("No passcode is set"))
    #expect(try run("status").status == 0)
  }

  /// Control: a store with a passcode.
  @Test func isNotToldWithAPasscode() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "correct horse battery staple\n")
    #expect(try run("init", "--passcode-file", passcode).status == 0)
    let added = try run(
      "add", "--service", "s", "--account", "a", "--passcode-file", passcode, input: "one")
    #expect(added.status == 0)
    #expect(added.notes.isEmpty)
    #expect(try notices(run).isEmpty)
  }
}
