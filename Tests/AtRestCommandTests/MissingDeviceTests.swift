import Foundation
import Testing

/// Commands report a device folder that is missing, and make no key in its place.
@Suite struct MissingDeviceTests {
  @Test(arguments: [
    ["status"], ["list"], ["get", "--service", "s", "--account", "a"], ["status", "--verify"],
    ["init", "--no-passcode"], ["list", "--json"], ["device", "status"],
  ])
  func itIsReported(_ arguments: [String]) throws {
    let run = try CommandRun.withStore()
    #expect(try run("add", "--service", "s", "--account", "a", input: "one").status == 0)
    let (device, kept) = (
      run.folder.appendingPathComponent("device"), run.folder.appendingPathComponent("kept")
    )
    try FileManager.default.moveItem(at: device, to: kept)
    let refused = try run.run(arguments, input: nil)
    #expect(refused.status == 6)
    #expect(refused.notes.contains("The device folder \(device.path) is missing"))
    #expect(!FileManager.default.fileExists(atPath: device.path))
    // The control.
    try FileManager.default.moveItem(at: kept, to: device)
    #expect(try run("get", "--service", "s", "--account", "a").text == "one")
  }

  @Test func deviceStatusCreatesNothing() throws {
    let run = try CommandRun()
    #expect(try run("device", "status").text.contains("none yet"))
    #expect(!FileManager.default.fileExists(atPath: run.folder.path + "/device"))
  }

  /// A store whose device folder is lost can be wiped, and made anew.
  @Test func aWipeIsTheWayOut() throws {
    let run = try CommandRun.withStore()
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("device"))
    #expect(try run("wipe", "--yes").status == 0)
    #expect(try run("init", "--no-passcode").status == 0)
    #expect(try run("list").status == 0)
  }
}
