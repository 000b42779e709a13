import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Protected files open after a restore, as on iOS.
@Suite final class RestoredFilesTests {
  private static let phrase = "four words of my own"
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-restored-\(UUID().uuidString)")
  private let phone: SimulatedDevice

  init() throws {
    phone = try SimulatedDevice(passcode: "1234")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for protection in FileProtection.allCases {
      try phone.files().write(
        Data(protection.rawValue.utf8), to: file(protection), protection: protection)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ protection: FileProtection) -> URL {
    folder.appendingPathComponent(protection.rawValue)
  }

  private func refusal(_ device: SimulatedDevice, _ protection: FileProtection) -> AtRestError.Code?
  {
    do {
      let contents = try device.files().read(file(protection), requiring: protection)
      #expect(contents == Data(protection.rawValue.utf8))
      return nil
    } catch { return (error as? AtRestError)?.code }
  }

  @Test(arguments: FileProtection.allCases, [nil, RestoredFilesTests.phrase])
  func onTheSameDevice(_ protection: FileProtection, _ phrase: String?) throws {
    let backup = try phone.backup(passphrase: phrase)
    try phone.erase()
    #expect(refusal(phone, protection) == .notPermitted)
    try phone.restore(backup, passphrase: phrase)
    #expect(refusal(phone, protection) == nil)
  }

  @Test(arguments: FileProtection.allCases)
  func onAnotherDeviceWithThePassphrase(_ protection: FileProtection) throws {
    let backup = try phone.backup(passphrase: Self.phrase)
    let next = try SimulatedDevice(
      restoring: backup, passphrase: Self.phrase, passcode: "5678")
    #expect(refusal(next, protection) == nil)
    // Control: the device without the backup.
    #expect(refusal(try SimulatedDevice(passcode: "5678"), protection) == .notPermitted)
    // The classes hold for files of the former device.
    next.lock()
    let isOpen = protection == .completeUntilFirstAuthentication || protection == .none
    #expect(refusal(next, protection) == (isOpen ? nil : .locked))
    try next.restart()
    #expect(refusal(next, protection) == (protection == .none ? nil : .locked))
    try next.unlock()
    #expect(refusal(next, protection) == nil)
  }

  @Test func anUnencryptedBackupOpensNoFileOnAnotherDevice() throws {
    let next = try SimulatedDevice(restoring: phone.backup())
    for protection in FileProtection.allCases {
      #expect(refusal(next, protection) == .notPermitted)
    }
  }

  @Test func rewrapMovesAFileToTheNewDevice() throws {
    let backup = try phone.backup(passphrase: Self.phrase)
    let next = try SimulatedDevice(restoring: backup, passphrase: Self.phrase, passcode: "5678")
    for protection in FileProtection.allCases {
      let files = next.files()
      try files.rewrap(file(protection), for: files, protection: protection)
      #expect(refusal(next, protection) == nil)
      #expect(refusal(phone, protection) == .notPermitted)
    }
  }

  @Test func aFileOfTheFormerDeviceIsChangedInPlace() throws {
    let backup = try phone.backup(passphrase: Self.phrase)
    let next = try SimulatedDevice(restoring: backup, passphrase: Self.phrase)
    let handle = try next.files().open(file(.complete), for: .updating)
    try handle.write(Data("C".utf8), at: 0)
    try handle.close()
    #expect(try next.files().read(file(.complete)).first == UInt8(ascii: "C"))
  }

  @Test func aRestoreNamesWhatStaysBehind() throws {
    let keychain = try phone.keychain(as: .owner())
    for accessibility in Accessibility.allCases {
      try keychain.add(
        .genericPassword(service: "s", account: accessibility.name, group: "g"),
        secret: SecretBytes(utf8: "x"), protection: .accessible(accessibility))
    }
    let next = try SimulatedDevice()
    let summary = try next.restore(phone.backup(passphrase: Self.phrase), passphrase: Self.phrase)
    let reasons = Dictionary(
      uniqueKeysWithValues: summary.leftOut.map { ($0.primaryKey.attributes[.account], $0.reason) })
    #expect(
      reasons == [
        .text("when-unlocked-this-device-only"): .otherDevice,
        .text("after-first-unlock-this-device-only"): .otherDevice,
        .text("always-this-device-only"): .otherDevice,
        .text("when-passcode-set-this-device-only"): .passcodeSet,
      ])
    #expect(summary.restored == 3 && summary.formerStores == [phone.keybag.identity])
  }
}
