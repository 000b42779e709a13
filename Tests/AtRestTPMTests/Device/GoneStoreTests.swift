import Foundation
import Testing

/// A store whose folder was deleted without a wipe holds the device key in the TPM, until the user says
/// that it is gone.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct GoneStoreTests {
  /// Two stores of one device in the TPM, and the second one's folder.
  private func twoStores() throws -> (Program, other: URL) {
    let program = Program(store: try DeviceStore())
    #expect(try program("init", "--no-passcode", "--device-root", "tpm").status == 0)
    let other = program.store.folder.appendingPathComponent("other")
    #expect(try program("init", "--no-passcode", "--store", other.path).status == 0)
    return (program, other)
  }

  private func identity(of store: URL, _ program: Program) throws -> String {
    let line = try program("device", "status").text.split(separator: "\n")
      .first { $0.contains("Store:") && $0.contains(store.path) }
    return String(try #require(line).dropFirst("Store:      ".count).prefix(32))
  }

  @Test func theMoveNamesItAndTheWayOut() throws {
    let (program, other) = try twoStores()
    let identity = try identity(of: other, program)
    let move = ["device", "move", "file", "--no-backup"]
    let there = try program(move[0], move[1], move[2], move[3])
    #expect(there.status == 5 && there.notes.contains("\(identity) in \(other.path)"))
    #expect(!there.notes.contains("device forget"))
    try FileManager.default.removeItem(at: other)
    let gone = try program(move[0], move[1], move[2], move[3])
    #expect(gone.status == 5 && gone.notes.contains("last in \(other.path)"))
    #expect(gone.notes.contains("atrest device forget \(identity)"))
    #expect(try program("device", "forget", identity).status == 2, "It asks first.")
    #expect(try program("device", "forget", identity, "--yes").status == 0)
    #expect(try program("device", "counters").text.split(separator: "\n").count == 2)
    #expect(try program(move[0], move[1], move[2], move[3]).status == 0)
    #expect(try program("list").status == 0)
    #expect(try program("device", "counters").text == "")
  }

  /// A disk that is mounted again has its store.
  @Test func absenceForgetsNothing() throws {
    let (program, other) = try twoStores()
    let away = program.store.folder.appendingPathComponent("away")
    try FileManager.default.moveItem(at: other, to: away)
    #expect(try program("device", "move", "file", "--no-backup").status == 5)
    #expect(try program("status").status == 0)
    try FileManager.default.moveItem(at: away, to: other)
    #expect(try program("list", "--store", other.path).status == 0)
  }

  @Test func onlyARememberedStoreThatIsGoneIsForgotten() throws {
    let (program, other) = try twoStores()
    let identity = try identity(of: other, program)
    #expect(try program("device", "forget", identity, "--yes").status == 5)
    #expect(try program("device", "forget", "0123", "--yes").status == 2)
    let unknown = String(repeating: "0", count: 32)
    #expect(try program("device", "forget", unknown, "--yes").status == 3)
    #expect(try program("list", "--store", other.path).status == 0)
  }

  /// A new store in the place of one that is gone does not hide it.
  @Test func initNamesTheStoreThatWasThere() throws {
    let (program, other) = try twoStores()
    let identity = try identity(of: other, program)
    try FileManager.default.removeItem(at: other)
    let made = try program("init", "--no-passcode", "--store", other.path)
    #expect(made.status == 0 && made.notes.contains("atrest device forget \(identity)"))
    #expect(try program("device", "forget", identity, "--yes").status == 0)
    #expect(try program("list", "--store", other.path).status == 0)
  }

  /// With a policy, `init` makes the key in a way of its own.
  @Test func noKeyIsMadeBesideAStoreThatLostIts() throws {
    let program = Program(store: try DeviceStore())
    #expect(try program("init", "--no-passcode").status == 0)
    try FileManager.default.removeItem(at: program.store.deviceFolder)
    let recovery = program.store.folder.appendingPathComponent("recovery")
    let refused = try program(
      "init", "--no-passcode", "--device-root", "tpm", "--pcr", "7", "--recovery-key-file",
      recovery.path)
    #expect(refused.status == 6 && refused.notes.contains("device folder"))
    #expect(!FileManager.default.fileExists(atPath: program.store.deviceFolder.path))
    #expect(!FileManager.default.fileExists(atPath: recovery.path))
    #expect(try program("device", "counters").text == "")
  }
}
