import Foundation
import Testing

/// `atrest device` and the TPM.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct DeviceCommandTests {
  private func inTPM(_ variables: [String: String] = [:]) throws -> Program {
    var program = Program(store: try DeviceStore())
    program.variables = variables
    #expect(try program("init", "--no-passcode", "--device-root", "tpm").status == 0)
    return program
  }

  @Test func aFrozenTPMEndsEachCommand() throws {
    let program = try inTPM(["ATREST_TPM_TIMEOUT": "0.2"])
    program.store.device.freeze()
    let refused = try program("list")
    #expect(refused.status == 1)
    #expect(refused.notes.contains("did not answer for 200 milliseconds"))
    #expect(try program("device", "status").status == 1)
    // The control: the same command ends well when the TPM goes on.
    program.store.device.thaw()
    #expect(try program("list").status == 0)
  }

  @Test func statusTellsWhatTheTPMCountsAndWhatIsTrusted() throws {
    let status = try inTPM()("device", "status")
    #expect(status.status == 0)
    #expect(status.text.contains("the TPM counts 0 of 3"))
    #expect(status.text.contains("power cuts"))
    #expect(status.text.contains("on first use"))
  }

  @Test func aMoveThatLeavesTheFileFails() throws {
    let program = Program(store: try DeviceStore())
    #expect(try program("init", "--no-passcode").status == 0)
    let obstacle = program.store.deviceFolder.appendingPathComponent("device.key.old")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
    let refused = try program("device", "move", "tpm", "--no-backup")
    #expect(refused.status == 1)
    #expect(refused.notes.contains("stays in its file"))
    #expect(try program("device", "status").text.contains("in a file"))
    #expect(try program("list").status == 0)
    // The control.
    try FileManager.default.removeItem(at: obstacle)
    #expect(try program("device", "move", "tpm", "--no-backup").status == 0)
    #expect(try program("device", "status").text.contains("in the TPM"))
  }

  @Test func aKeyThatIsLeftIsShownByBothCommands() throws {
    let program = try inTPM()
    let left = program.store.deviceFolder.appendingPathComponent("device.key")
    for arguments in [["status"], ["device", "status"]] {
      let before = try program(arguments[0], arguments.count > 1 ? arguments[1] : "--json")
      #expect(!before.text.contains(left.path))
    }
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
    #expect(try program("status").text.contains(left.path))
    #expect(try program("device", "status").text.contains(left.path))
  }

  @Test func countersAreListedAndFreed() throws {
    let program = try inTPM()
    let listed = try program("device", "counters").text.split(separator: "\n")
    #expect(listed.count == 2)
    #expect(listed.contains { $0.hasSuffix("this device folder") })
    #expect(listed.contains { $0.contains("  store ") })
    // A counter in use is not freed.
    let index = try #require(listed.first?.prefix { $0 != " " })
    let refused = try program("device", "counters", "--free", String(index), "--yes")
    #expect(refused.status == 5)
    // The folders are deleted: the counters stay, and can be freed.
    try FileManager.default.removeItem(at: program.store.deviceFolder)
    let orphans = try program("device", "counters").text.split(separator: "\n")
    #expect(orphans.count == 2 && orphans.allSatisfy { $0.hasSuffix("other") })
    for orphan in orphans {
      let index = String(orphan.prefix { $0 != " " })
      #expect(try program("device", "counters", "--free", index, "--yes").status == 0)
      #expect(try program("device", "counters", "--free", index, "--yes").status == 3)
    }
    #expect(try program("device", "counters").text == "")
  }

  @Test func removingTheDeviceFreesItsCounters() throws {
    let program = try inTPM()
    #expect(try program("device", "remove").status == 2)
    let removed = try program("device", "remove", "--yes")
    #expect(removed.status == 0)
    #expect(try program("device", "counters").text == "")
    #expect(!FileManager.default.fileExists(atPath: program.store.deviceFolder.path))
    #expect(try program("device", "remove", "--yes").status == 3)
    // The store is not opened, and no key is made in the place of the one that was removed.
    #expect(try program("list").status == 6)
    #expect(!FileManager.default.fileExists(atPath: program.store.deviceFolder.path))
  }

  @Test(arguments: [("owner's secret", Int32(0)), ("wrong", 5)])
  func theOwnersPasswordIsAskedForOnATerminal(_ password: String, _ status: Int32) throws {
    let program = Program(store: try DeviceStore())
    try program.store.device.tool("tpm2_changeauth", "-c", "owner", "owner's secret")
    let ended = try program.onTerminal(
      "init", "--no-passcode", "--device-root", "tpm", question: "Password of the TPM's owner",
      answer: password)
    #expect(ended == status)
  }

  @Test func theOwnersPasswordIsReadFromAFile() throws {
    let program = Program(store: try DeviceStore())
    try program.store.device.tool("tpm2_changeauth", "-c", "owner", "owner's secret")
    let right = try program.file("owner", "owner's secret\n")
    let wrong = try program.file("wrong", "wrong\n")
    let arguments = ["init", "--no-passcode", "--device-root", "tpm"]
    let refused = try program(arguments[0], arguments[1], arguments[2], arguments[3])
    #expect(refused.status == 5 && refused.notes.contains("--tpm-owner-password-file"))
    #expect(
      try program(
        "init", "--no-passcode", "--device-root", "tpm", "--tpm-owner-password-file", wrong
      )
      .status == 5)
    #expect(
      try program(
        "init", "--no-passcode", "--device-root", "tpm", "--tpm-owner-password-file", right
      )
      .status == 0)
    var other = program
    other.variables["ATREST_TPM_OWNER_PASSWORD_FILE"] = right
    #expect(try other("list").status == 0)
    #expect(try other("wipe", "--yes").status == 0)
    #expect(try other("device", "remove", "--yes").status == 0)
    #expect(try program("device", "counters").text == "")
  }
}
