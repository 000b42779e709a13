import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Tests which items of a device are restored onto which device.
@Suite struct BackupTests {
  private let device: SimulatedDevice
  private let phrase = "four words of my own"

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    device.enrolBiometry()
    for accessibility in Accessibility.allCases {
      try device.keychain().add(
        key(accessibility), secret: SecretBytes(utf8: accessibility.name),
        protection: .accessible(accessibility))
    }
  }

  private func key(_ accessibility: Accessibility) -> PrimaryKey {
    .genericPassword(service: "s", account: accessibility.name)
  }

  private func found(on device: SimulatedDevice) throws -> Set<Accessibility> {
    let keychain = try device.keychain()
    return Set(
      Accessibility.allCases.filter { accessibility in
        let refusal = code { _ = try keychain.secret(for: key(accessibility)).count }
        precondition(refusal == nil || refusal == .notFound)
        return refusal == nil
      })
  }
  private let migratable = Set(Accessibility.allCases.filter { $0.keyClass.isMigratable })
  private let backedUp = Set(
    Accessibility.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly })

  @Test func aBackupLeavesTheDeviceAsItIs() throws {
    let backup = try device.backup(passphrase: phrase)
    #expect(backup.summary.migratable == 3 && backup.summary.thisDeviceOnly == 3)
    #expect(backup.summary.leftOut.count == 1 && backup.isEncrypted)
    #expect(try found(on: device) == Set(Accessibility.allCases))
  }

  @Test func onTheSameDeviceAllOfItComesBack() throws {
    let backup = try device.backup(passphrase: phrase)
    try device.keychain().add(
      .genericPassword(service: "s", account: "later"), secret: SecretBytes(utf8: "x"))
    #expect(try device.restore(backup, passphrase: phrase).restored == 6)
    #expect(try found(on: device) == backedUp)
    #expect(try device.keychain().count() == 6, "An item that was added later is gone.")
    #expect(device.keybag.hasPasscode && device.user.biometry == .unavailable)
    device.lock()
    try device.unlock()
  }

  @Test func anErasedDeviceIsTheSameDevice() throws {
    let backup = try device.backup(passphrase: phrase)
    let former = try device.keychain()
    try device.erase()
    #expect(try found(on: device) == [])
    #expect(!device.keybag.hasPasscode && device.keybag.lockState == .unlocked)
    #expect(device.user.biometry == .unavailable)
    #expect(code { _ = try former.secret(for: key(.always)).count } != nil)
    try device.restore(backup, passphrase: phrase)
    #expect(try found(on: device) == backedUp)
  }

  @Test func onAnotherOnlyWhatMayMoveDoes() throws {
    let backup = try device.backup(passphrase: phrase)
    let next = try SimulatedDevice(restoring: backup, passphrase: phrase, passcode: "5678")
    #expect(try found(on: next) == migratable)
    #expect(next.keybag.hasPasscode)
    #expect(try found(on: device) == Set(Accessibility.allCases))
  }

  @Test func aBackupThatIsNotEncryptedMovesNothing() throws {
    let backup = try device.backup()
    #expect(!backup.isEncrypted)
    let next = try SimulatedDevice()
    #expect(try next.restore(backup).leftOut.count == 7)
    #expect(try found(on: next) == [])
    try device.restore(backup)
    #expect(try found(on: device) == backedUp)
  }

  @Test func aWrongPassphraseChangesNothing() throws {
    let backup = try device.backup(passphrase: phrase)
    #expect(
      code { try device.restore(backup, passphrase: "wrong") } == .authenticationFailed)
    #expect(code { try device.restore(backup) } == .authenticationFailed)
    #expect(try found(on: device) == Set(Accessibility.allCases))
    #expect(device.user.biometry != .unavailable)
  }

  @Test func anItemWithAccessControlIsInNone() throws {
    let card = PrimaryKey.genericPassword(service: "s", account: "card")
    try device.keychain().add(
      card, secret: SecretBytes(utf8: "4111"),
      protection: .controlled(AccessControl(.whenUnlocked, .biometry(.any))))
    let backup = try device.backup(passphrase: phrase)
    #expect(backup.summary.leftOut.count == 2)
    try device.restore(backup, passphrase: phrase)
    #expect(code { _ = try device.keychain().secret(for: card).count } == .notFound)
    #expect(try found(on: device) == backedUp)
  }

  @Test func aLockedDeviceMakesNone() throws {
    device.lock()
    #expect(code { _ = try device.backup(passphrase: phrase) } == .locked)
  }

  @Test func codeThatRunsSeesTheDeviceAsItIsNow() throws {
    try device.run {
      let backup = try device.backup(passphrase: phrase)
      try device.erase()
      let emptied = try DefaultKeychain.get().count()
      #expect(emptied == 0)
      try device.restore(backup, passphrase: phrase)
      let restored = try DefaultKeychain.get().count()
      #expect(restored == 6)
    }
  }
}
