import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

@Suite struct BackupTests {
  let phone: SimulatedDevice
  let keychain: Keychain
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-\(UUID().uuidString).backup")
  let phrase = "four words of my own"

  init() throws {
    phone = try SimulatedDevice(passcode: "1234")
    keychain = try phone.keychain(as: .owner())
    for accessibility in Accessibility.allCases {
      try keychain.add(
        key(accessibility.name), secret: SecretBytes(utf8: "secret \(accessibility.name)"),
        attributes: [.label: "L"], protection: .accessible(accessibility))
    }
  }

  private func key(_ account: String) -> PrimaryKey {
    .genericPassword(service: "s", account: account, group: "g")
  }

  private func backup() throws -> BackupSummary {
    try keychain.backup(to: file, passphrase: SecretBytes(utf8: phrase), kdf: .forTesting)
  }

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? AtRestError)?.code }
  }

  @Test func onAnotherDeviceOnlyMigratableItemsComeBack() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let summary = try backup()
    #expect(summary.migratable == 3)
    #expect(summary.thisDeviceOnly == 3)
    #expect(summary.leftOut.count == 1)
    let other = try SimulatedDevice()
    let restored = try other.keychain(as: .owner())
    let result = try restored.restore(from: file, passphrase: SecretBytes(utf8: phrase))
    #expect(result.restored == 3)
    #expect(result.leftOut.map(\.reason).filter { $0 == .otherDevice }.count == 3)
    #expect(result.leftOut.map(\.reason).filter { $0 == .passcodeSet }.count == 1)
    for accessibility in Accessibility.allCases {
      let read = code { _ = try restored.secret(for: key(accessibility.name)).count }
      #expect(read == (accessibility.keyClass.isMigratable ? nil : .notFound))
    }
    let item = try restored.item(for: key("when-unlocked"))
    #expect(item.attributes.label == "L")
    #expect(item.protection == .accessible(.whenUnlocked))
  }

  @Test func onTheSameDeviceItemsBoundToItComeBackToo() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try backup()
    try keychain.delete(matching: KeychainQuery(.genericPassword))
    let result = try keychain.restore(from: file, passphrase: SecretBytes(utf8: phrase))
    #expect(result.restored == 6)
    let secret = try keychain.secret(for: key("always-this-device-only"))
    #expect(String(copying: secret) == "secret always-this-device-only")
  }

  @Test func anExistingItemRefusesKeepsOrIsReplaced() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try backup()
    let kept = key("when-unlocked")
    try keychain.update(kept, secret: SecretBytes(utf8: "newer"))
    let phrase = SecretBytes(utf8: phrase)
    #expect(code { try keychain.restore(from: file, passphrase: phrase) } == .duplicate)
    #expect(
      try keychain.restore(from: file, passphrase: phrase, conflicts: .keep).kept == 6)
    #expect(String(copying: try keychain.secret(for: kept)) == "newer")
    try keychain.restore(from: file, passphrase: phrase, conflicts: .replace)
    #expect(String(copying: try keychain.secret(for: kept)) == "secret when-unlocked")
  }

  @Test(arguments: ["", "1234", "Sophie14071989", "to be or not to be"])
  func aWeakPassphraseIsRefused(_ weak: String) throws {
    let passphrase = SecretBytes(utf8: weak)
    #expect(
      code { try keychain.backup(to: file, passphrase: passphrase, kdf: .forTesting) }
        == .weakPassphrase)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    guard !weak.isEmpty else { return }
    // Control: a caller who knows better is not stopped.
    try keychain.backup(
      to: file, passphrase: passphrase, kdf: .forTesting, weakPassphrases: .accept)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func wrongPassphraseAndDamageAreRefusedAndNothingIsRestored() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try backup()
    let other = try SimulatedDevice().keychain(as: .owner())
    let right = SecretBytes(utf8: phrase)
    let wrong = SecretBytes(utf8: "wrong")
    #expect(code { try other.restore(from: file, passphrase: wrong) } == .authenticationFailed)
    let whole = try Data(contentsOf: file)
    var refused = 0
    for offset in whole.indices {
      var changed = whole
      changed[offset] ^= 1
      try changed.write(to: file)
      #expect(code { try other.restore(from: file, passphrase: right) } != nil, "\(offset)")
      try whole.prefix(offset).write(to: file)
      #expect(code { try other.restore(from: file, passphrase: right) } != nil, "\(offset)")
      refused += 2
    }
    #expect(try other.count() == 0)
    try (whole + Data([0])).write(to: file)
    #expect(code { try other.restore(from: file, passphrase: right) } == .damaged)
    // Control: the unmodified backup can be restored.
    try whole.write(to: file)
    #expect(try other.restore(from: file, passphrase: right).restored == 3)
    print("backup: \(refused) changed or cut files refused")
  }

  @Test func aLockedStoreMakesNoBackupAndLeavesNoFile() throws {
    phone.lock()
    #expect(code { _ = try backup() } == .locked)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func anItemWithAnApplicationPasswordMovesWithoutIt() throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let both = key("both")
    let context = AuthenticationContext(applicationPassword: SecretBytes(utf8: "app"))
    try keychain.add(
      both, secret: SecretBytes(utf8: "twice sealed"),
      protection: .controlled(.applicationPassword(.whenUnlocked)), context: context)
    _ = try backup()
    let other = try SimulatedDevice().keychain(as: .owner())
    try other.restore(from: file, passphrase: SecretBytes(utf8: phrase))
    let wrong = AuthenticationContext(applicationPassword: SecretBytes(utf8: "no"))
    #expect(
      code { _ = try other.secret(for: both, context: wrong).count } == .authenticationFailed)
    #expect(String(copying: try other.secret(for: both, context: context)) == "twice sealed")
  }

  @Test func onlyTheOwnerMayBackUp() throws {
    let app = try phone.keychain(as: ApplicationIdentity("g"))
    #expect(
      code {
        try app.backup(to: file, passphrase: SecretBytes(utf8: phrase), kdf: .forTesting)
      } == .notPermitted)
  }
}
