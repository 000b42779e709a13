import Foundation
import Testing

/// Without an agent, `unlock` tells a store that is missing from one that cannot be read.
@Suite struct UnlockWithoutAgentTests {
  @Test func aMissingStoreIsNamed() throws {
    let result = try CommandRun()("unlock")
    #expect(result.status == 3)
    #expect(result.notes.contains("There is no store"), "\(result.notes)")
  }

  @Test func aStoreWithoutAnAgentIsThere() throws {
    let result = try CommandRun.withStore()("unlock")
    #expect(result.status == 3)
    #expect(result.notes.contains("No agent serves"), "\(result.notes)")
  }

  @Test func aDamagedStoreIsNotMissing() throws {
    let run = try CommandRun.withStore()
    try Data("no keybag".utf8).write(to: run.folder.appendingPathComponent("store/keybag"))
    let result = try run("unlock")
    #expect(result.status != 3)
    #expect(!result.notes.contains("no store"), "\(result.notes)")
  }

  @Test(.enabled(if: getuid() != 0, "root reads everything"))
  func aStoreThatCannotBeReadIsNotMissing() throws {
    let run = try CommandRun.withStore()
    let folder = run.folder.appendingPathComponent("store").path
    chmod(folder, 0)
    defer { chmod(folder, 0o700) }
    let result = try run("unlock")
    #expect(result.status == 5)
    #expect(!result.notes.contains("no store"), "\(result.notes)")
  }
}
