import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A wipe reaches every program that has the store open.
@Suite struct WipeBesideTests {
  private static let uses = WitnessProcess.reads + WitnessProcess.writes

  /// Control: a program goes on when another store of the same device is wiped.
  @Test func aWipeOfAnotherStoreChangesNothing() throws {
    let witness = try WitnessProcess()
    let other = witness.scratch.folder.appendingPathComponent("other")
    try Keybag.create(
      at: other, device: FileDeviceKey.openOrCreate(in: witness.scratch.device),
      options: .init(kdf: .forTesting)
    ).wipe()
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "done"))
    #expect(try witness.answer("keys") == "present")
  }

  @Test func everyUseEndsWithWiped() throws {
    let witness = try WitnessProcess()
    try witness.keybag().wipe()
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "wiped"))
    #expect(try witness.answer("unlock") == "wiped")
    #expect(try witness.answer("transaction") == "wiped")
    #expect(witness.names.isSubset(of: ["lock"]), "\(witness.names)")
  }

  @Test func keysAreErasedWithoutAnyUse() throws {
    let witness = try WitnessProcess()
    #expect(try witness.answer("keys") == "present")
    try witness.keybag().wipe()
    #expect(try witness.eventually("keys", "erased"))
    #expect(try witness.answer("state") == "before-first-unlock")
  }

  /// The connections of a database whose key is an item stop at their next statement.
  @Test func databasesWithAKeyOfTheStoreStop() throws {
    let witness = try WitnessProcess()
    #expect(try witness.answer("pool-read") == "done")
    try witness.keybag().wipe()
    // SQLITE_INTERRUPT
    #expect(try witness.eventually("pool-read", "sqlite-9"))
  }

  @Test func theCommandReachesThemToo() throws {
    let witness = try WitnessProcess()
    let command = try Worker(
      program: "atrest",
      [
        "wipe", "--yes", "--store", witness.scratch.store.path, "--device",
        witness.scratch.device.path,
      ])
    #expect(command.finish().status == 0)
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "wiped"))
    #expect(!FileManager.default.fileExists(atPath: witness.scratch.store.path))
  }

  @Test func aWipeByTheAttemptLimitReachesThem() throws {
    let witness = try WitnessProcess(attemptLimit: 1)
    #expect(throws: AtRestError.self) {
      try witness.keybag().unlock(passcode: SecretBytes(utf8: "wrong"))
    }
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "wiped"))
  }

  @Test func aNewStoreInTheFolderIsNotServedByOldPrograms() throws {
    let witness = try WitnessProcess()
    try witness.keybag().wipe()
    let new = try Keybag.create(
      at: witness.scratch.store, device: FileDeviceKey.openOrCreate(in: witness.scratch.device))
    let keychain = try Keychain.open(new, identity: .owner())
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "wiped"))
    #expect(try keychain.count() == 0)
    keychain.close()
  }

  /// The device never accepts the store again, wherever a copy of it is.
  @Test func aWipeOfACopyReachesTheOriginal() throws {
    let witness = try WitnessProcess()
    let copy = witness.scratch.folder.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: witness.scratch.store, to: copy)
    try Keybag.open(at: copy, device: FileDeviceKey.openOrCreate(in: witness.scratch.device)).wipe()
    #expect(try witness.answers(Self.uses) == WitnessProcess.all(Self.uses, "wiped"))
  }
}
