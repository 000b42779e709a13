import Foundation
import Testing

/// The effect of the attempt limit on a store, through the command.
@Suite struct AttemptLimitTests {
  private struct Place {
    let run: CommandRun
    let passcode: String
    let wrong: String
    var store: URL { run.folder.appendingPathComponent("store") }
    var keep: URL { run.folder.appendingPathComponent("keep") }

    init(limit: Int) throws {
      run = try CommandRun()
      passcode = try run.file("passcode", "the right passcode")
      wrong = try run.file("wrong", "a wrong passcode")
      #expect(
        try run("init", "--passcode-file", passcode, "--attempt-limit", "\(limit)").status == 0)
      #expect(
        try run(
          "add", "--service", "s", "--account", "a", "--passcode-file", passcode, input: "secret"
        ).status == 0)
    }

    func get(_ file: String) throws -> CommandRun.Result {
      try run("get", "--service", "s", "--account", "a", "--passcode-file", file)
    }
  }

  @Test func aWipedStoreNeverComesBack() throws {
    let place = try Place(limit: 2)
    try FileManager.default.copyItem(at: place.store, to: place.keep)
    #expect(try place.get(place.wrong).status == 5)
    let last = try place.get(place.wrong)
    #expect(last.status == 1 && last.notes.contains("was wiped"))
    try? FileManager.default.removeItem(at: place.store)
    try FileManager.default.copyItem(at: place.keep, to: place.store)
    for arguments in [["restore", "--accept-older"], ["status"]] {
      let refused = try place.run.run(arguments, input: nil)
      #expect(refused.status == 1 && refused.notes.contains("was wiped"), "\(arguments)")
    }
    #expect(try place.get(place.passcode).status == 1)
  }

  @Test func aWipeByHandResetsNothing() throws {
    let place = try Place(limit: 10)
    try FileManager.default.copyItem(at: place.store, to: place.keep)
    #expect(try place.run("wipe", "--yes").status == 0)
    try FileManager.default.copyItem(at: place.keep, to: place.store)
    #expect(try place.get(place.passcode).status == 1)
  }

  @Test func afterAWipeThereIsRoomForAStoreThatOpens() throws {
    let place = try Place(limit: 2)
    for _ in 0..<2 { _ = try place.get(place.wrong) }
    #expect(try place.get(place.passcode).status == 3)
    #expect(try place.run("init", "--passcode-file", place.passcode).status == 0)
    #expect(try place.get(place.passcode).status == 3)
    #expect(
      try place.run(
        "add", "--service", "s", "--account", "a", "--passcode-file", place.passcode,
        input: "new"
      ).status == 0)
    #expect(try place.get(place.passcode).text == "new")
  }

  @Test func aDatabaseWithoutAKeybagIsKept() throws {
    let place = try Place(limit: 0)
    let database = place.store.appendingPathComponent("keychain.db")
    let contents = try Data(contentsOf: database)
    try FileManager.default.removeItem(at: place.store.appendingPathComponent("keybag"))
    #expect(try place.run("status").status == 6)
    #expect(try place.run("init", "--no-passcode").status == 0)
    #expect(try place.run("status").status == 0)
    let kept = try FileManager.default.contentsOfDirectory(
      at: place.store, includingPropertiesForKeys: nil
    ).filter { $0.lastPathComponent.hasPrefix("keychain.db.former-") }
    #expect(try kept.contains { try Data(contentsOf: $0) == contents })
  }

  @Test func processesThatGuessThroughCopiesShareOneCount() async throws {
    let place = try Place(limit: 4)
    let copies = try (0..<12).map { number in
      let copy = place.run.folder.appendingPathComponent("copy-\(number)")
      try FileManager.default.copyItem(at: place.store, to: copy)
      return copy
    }
    let binary = try CommandRun.binary()
    let processes = try copies.map { copy in
      let process = Process()
      process.executableURL = binary
      process.arguments = [
        "list", "--store", copy.path, "--passcode-file", place.wrong,
        "--device", place.run.folder.appendingPathComponent("device").path,
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    let statuses = processes.map { process in
      process.waitUntilExit()
      return process.terminationStatus
    }
    #expect(statuses.count { $0 == 5 } == 3, "wrong")
    #expect(statuses.count { $0 == 1 } == 9, "wiped")
    #expect(try place.get(place.passcode).status == 1)
  }
}
