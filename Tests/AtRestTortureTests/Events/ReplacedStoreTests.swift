import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A program whose store is replaced or removed gives nothing out, and stores nothing.
@Suite struct ReplacedStoreTests {
  // A use that only reads notices such a store up to 50 ms later, or after one that writes.
  private static let uses = WitnessProcess.writes + WitnessProcess.reads

  @Test func anotherStoreInThePlaceIsNotUsed() throws {
    let witness = try WitnessProcess()
    let other = witness.scratch.folder.appendingPathComponent("other")
    try Keybag.create(at: other, device: FileDeviceKey.openOrCreate(in: witness.scratch.device))
      .close()
    let before = try Data(contentsOf: other.appendingPathComponent("keybag"))
    try FileManager.default.moveItem(
      at: witness.scratch.store, to: witness.scratch.folder.appendingPathComponent("former"))
    try FileManager.default.moveItem(at: other, to: witness.scratch.store)
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "other-store"))
    // The other store is as it was.
    let after = witness.scratch.store.appendingPathComponent("keybag")
    #expect(try Data(contentsOf: after) == before)
    #expect(!witness.names.contains("keychain.db"))
  }

  @Test func nothingIsStoredInAFolderThatIsGone() throws {
    let witness = try WitnessProcess()
    let former = witness.scratch.folder.appendingPathComponent("former")
    try FileManager.default.moveItem(at: witness.scratch.store, to: former)
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "damaged"))
    #expect(!FileManager.default.fileExists(atPath: witness.scratch.store.path))
    // Control: once it is back, the same program goes on.
    try FileManager.default.moveItem(at: former, to: witness.scratch.store)
    #expect(try witness.answer("read") == "done")
    #expect(try witness.answer("add") == "done")
  }
}
