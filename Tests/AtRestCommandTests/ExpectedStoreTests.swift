import Foundation
import Testing

/// A caller that names the store it expects gets no other store.
@Suite struct ExpectedStoreTests {
  private func exchangedStores() throws -> (run: CommandRun, expected: String) {
    let run = try CommandRun.withStore()
    let expected = try #require(try run("status", "--json").json["identity"] as? String)
    let manager = FileManager.default
    let store = run.folder.appendingPathComponent("store")
    try manager.moveItem(at: store, to: run.folder.appendingPathComponent("first"))
    #expect(try run("init", "--no-passcode").status == 0)
    return (run, expected)
  }

  @Test func anotherStoreOfTheDeviceIsRefused() throws {
    let (run, expected) = try exchangedStores()
    let present = try #require(try run("status", "--json").json["identity"] as? String)
    for command in [
      ["status"], ["list"], ["get", "--service", "s", "--account", "a"], ["wipe", "--yes"],
      ["passcode", "remove"],
    ] {
      let refused = try run.run(command + ["--expect-store", expected], input: nil)
      #expect(refused.status == 6, "\(command)")
      #expect(refused.notes.contains(expected) && refused.notes.contains(present))
      let byVariable = try run.run(
        command, input: nil, with: ["ATREST_EXPECT_STORE": expected])
      #expect(byVariable.status == 6)
    }
    // Control: the store opens with its own identity, or without one.
    #expect(try run("status", "--expect-store", present.uppercased()).status == 0)
    #expect(try run("status").text.contains("Identity:   \(present)"))
    #expect(
      try run.run(["status"], input: nil, with: ["ATREST_EXPECT_STORE": ""]).status == 0)
  }

  @Test(arguments: ["", "abc", "0123456789abcdef0123456789abcdeg"])
  func whatIsNoIdentityIsRefused(_ text: String) throws {
    let run = try CommandRun.withStore()
    #expect(try run("status", "--expect-store", text).status == 2)
    guard !text.isEmpty else { return }
    #expect(
      try run.run(["status"], input: nil, with: ["ATREST_EXPECT_STORE": text]).status == 2)
  }
}
