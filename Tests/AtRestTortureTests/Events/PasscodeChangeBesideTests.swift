import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A change of the passcode locks all other programs at once. Only the program that makes it stays as it
/// is.
@Suite struct PasscodeChangeBesideTests {
  private static let locked = ["read-unread", "value", "handle-read"]
  private static let open = ["handle-always", "handle-write", "handle-synchronize", "protect"]

  private static func secret(_ text: String) -> SecretBytes { SecretBytes(utf8: text) }

  @Test func aChangeLocksOthers() throws {
    let witness = try WitnessProcess()
    let keybag = try witness.keybag()
    try keybag.unlock(passcode: Self.secret(WitnessProcess.passcode))
    try keybag.changePasscode(
      from: Self.secret(WitnessProcess.passcode), to: Self.secret(WitnessProcess.otherPasscode))
    #expect(keybag.lockState == .unlocked)
    #expect(try witness.answers(Self.locked) == WitnessProcess.all(Self.locked, "locked"))
    // Control: what a lock leaves open stays open.
    #expect(try witness.answers(Self.open) == WitnessProcess.all(Self.open, "done"))
    #expect(try witness.answer("unlock") == "authentication-failed")
    // The program that changed the passcode is not locked by its own announcement.
    #expect(keybag.lockState == .unlocked)
    try keybag.changePasscode(
      from: Self.secret(WitnessProcess.otherPasscode), to: Self.secret(WitnessProcess.passcode))
    #expect(try witness.answer("unlock") == "done")
    #expect(try witness.answers(Self.locked) == WitnessProcess.all(Self.locked, "done"))
  }

  @Test func keysAreErasedWithoutAnyUse() throws {
    let witness = try WitnessProcess()
    #expect(try witness.answer("unlocked-keys") == "present")
    try witness.keybag().changePasscode(
      from: Self.secret(WitnessProcess.passcode), to: Self.secret(WitnessProcess.otherPasscode))
    #expect(try witness.eventually("unlocked-keys", "erased"))
    #expect(try witness.answer("state") == "locked")
    #expect(try witness.answer("keys") == "present")
  }

  @Test func aFirstPasscodeLocksOthers() throws {
    let witness = try WitnessProcess(passcode: nil)
    #expect(try witness.answers(Self.locked) == WitnessProcess.all(Self.locked, "done"))
    try witness.keybag().setPasscode(
      Self.secret(WitnessProcess.passcode), options: .init(kdf: .forTesting))
    #expect(try witness.eventually("unlocked-keys", "erased"))
    #expect(try witness.answers(Self.locked) == WitnessProcess.all(Self.locked, "locked"))
  }

  /// Without a passcode, nothing has to be unlocked.
  @Test func aRemovalLocksNobody() throws {
    let witness = try WitnessProcess()
    try witness.keybag().removePasscode(Self.secret(WitnessProcess.passcode))
    #expect(try witness.answers(Self.locked) == WitnessProcess.all(Self.locked, "done"))
    #expect(try witness.answer("unlock") == "passcode-not-set")
  }

  /// Control: neither a wrong passcode nor another store's change locks anyone.
  @Test func whatChangesNothingLocksNobody() throws {
    let witness = try WitnessProcess()
    #expect(throws: AtRestError.self) {
      try witness.keybag().changePasscode(
        from: Self.secret("wrong"), to: Self.secret(WitnessProcess.otherPasscode))
    }
    let other = try Keybag.create(
      at: witness.scratch.folder.appendingPathComponent("other"),
      device: FileDeviceKey.openOrCreate(in: witness.scratch.device),
      options: .init(kdf: .forTesting))
    try other.setPasscode(
      Self.secret(WitnessProcess.otherPasscode), options: .init(kdf: .forTesting))
    #expect(try witness.answers(Self.locked) == WitnessProcess.all(Self.locked, "done"))
    #expect(try witness.answer("unlocked-keys") == "present")
  }
}
