import AtRest
import AtRestSimulation
import Foundation
import Testing

/// The items of the application itself, at the first launch after a reinstallation.
@Suite struct FirstLaunchTests {
  private let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
  private let server = PrimaryKey.internetPassword(server: "mail.example.com", account: "eva")

  /// A vault with a value, and items of the application itself.
  private func launched(wiping: Bool) throws -> TestVault {
    let test = try TestVault()
    if wiping { test.options.onFirstLaunch = .wipeAccessGroup }
    try test.open().logIn("eva").store("hers", in: .note)
    let keychain = try test.device.keychain()
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    try keychain.add(server, secret: SecretBytes(utf8: "s3cr3t"))
    try keychain.createKey(.p256, tag: "com.example.key")
    return test
  }

  @Test func goWithTheAccessGroup() throws {
    let test = try launched(wiping: true)
    try FileManager.default.removeItem(at: test.folder)
    let vault = try test.open()
    #expect(vault.launch == .firstAfterReinstallation)
    #expect(try test.allItems() == ["clock", "registry"])
    let keychain = try test.device.keychain()
    for itemClass in ItemClass.allCases where itemClass != .genericPassword {
      #expect(try keychain.items(matching: KeychainQuery(itemClass)).isEmpty)
    }
    // The next launch wipes nothing.
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    #expect(try test.open().launch == .further)
    #expect(try keychain.secret(for: token).count == 6)
  }

  @Test func alsoWhileTheStoreIsLocked() throws {
    let test = try launched(wiping: true)
    try FileManager.default.removeItem(at: test.folder)
    try test.device.restart()
    #expect(try test.open().launch == .firstAfterReinstallation)
    try test.device.unlock()
    #expect(try test.allItems() == ["clock", "registry"])
  }

  /// The device remembers the installation, even if the vault has forgotten everything.
  @Test func goAfterAWipeOfTheVault() throws {
    let test = try launched(wiping: true)
    try test.open().wipe()
    #expect(try test.device.keychain().secret(for: token).count == 6)
    try FileManager.default.removeItem(at: test.folder)
    #expect(try test.open().launch == .firstAfterReinstallation)
    #expect(try test.allItems() == ["clock", "registry"])
  }

  /// The option was introduced by an update after the reinstallation.
  @Test func goIfTheRegistryAloneProvesAnInstallation() throws {
    let test = try launched(wiping: false)
    try FileManager.default.removeItem(at: test.folder)
    test.options.onFirstLaunch = .wipeAccessGroup
    #expect(try test.open().launch == .firstAfterReinstallation)
    #expect(try test.allItems() == ["clock", "registry"])
  }

  /// An update that introduces the option in an installation that goes on.
  @Test func stayWhereTheInstallationGoesOn() throws {
    let test = try launched(wiping: false)
    test.options.onFirstLaunch = .wipeAccessGroup
    #expect(try test.open().launch == .further)
    #expect(try test.open().logIn("eva").value(in: .note) == "hers")
    #expect(try test.device.keychain().secret(for: token).count == 6)
  }

  /// A second vault of the application, with a folder of its own.
  @Test func stayWhereASecondVaultIsOpened() throws {
    let test = try launched(wiping: true)
    var options = test.options
    options.name = "second"
    let folder = test.folder.appendingPathExtension("second")
    defer { try? FileManager.default.removeItem(at: folder) }
    expect(.notPermitted) {
      _ = try Vault.open(in: folder, keychain: test.device.keychain(), options: options)
    }
    #expect(try test.open().logIn("eva").value(in: .note) == "hers")
    #expect(try test.device.keychain().secret(for: token).count == 6)
  }

  /// Control: by default, only the vault's items go.
  @Test func stayByDefault() throws {
    let test = try launched(wiping: false)
    try FileManager.default.removeItem(at: test.folder)
    #expect(try test.open().launch == .firstAfterReinstallation)
    #expect(try test.device.keychain().secret(for: token).count == 6)
  }

  @Test func ofAnotherApplicationStay() throws {
    let test = try launched(wiping: true)
    let other = try test.device.keychain(as: ApplicationIdentity("com.example.other"))
    try other.add(token, secret: SecretBytes(utf8: "theirs"))
    try FileManager.default.removeItem(at: test.folder)
    _ = try test.open()
    #expect(try other.secret(for: token).count == 6)
  }

  /// An update that introduces the vault is no reinstallation.
  @Test func stayWhereNoEarlierInstallationIsKnown() throws {
    let test = try TestVault()
    test.options.onFirstLaunch = .wipeAccessGroup
    try test.device.keychain().add(token, secret: SecretBytes(utf8: "s3cr3t"))
    #expect(try test.open().launch == .first)
    #expect(try test.device.keychain().secret(for: token).count == 6)
  }

  /// Nothing is decided on a marker or a registry that cannot be read.
  @Test func stayWhereTheMarkerIsDamaged() throws {
    let test = try launched(wiping: true)
    let marker = test.folder.appendingPathComponent("installation")
    let intact = try Data(contentsOf: marker)
    for damage in [Data(), intact.dropLast()] {
      try damage.write(to: marker)
      expect(.damaged) { _ = try test.open() }
      #expect(try test.device.keychain().secret(for: token).count == 6)
    }
    try FileManager.default.removeItem(at: marker)
    try FileManager.default.createDirectory(at: marker, withIntermediateDirectories: false)
    #expect(throws: AtRestError.self) { _ = try test.open() }
    #expect(try test.device.keychain().secret(for: token).count == 6)
    try FileManager.default.removeItem(at: marker)
    try intact.write(to: marker)
    #expect(try test.open().logIn("eva").value(in: .note) == "hers")
  }

  @Test func stayWhereTheRegistryIsDamaged() throws {
    let test = try launched(wiping: true)
    let keychain = try test.device.keychain()
    try keychain.set(
      .genericPassword(service: "atrest.vault.main", account: "registry"),
      secret: SecretBytes(Data([1])))
    try FileManager.default.removeItem(at: test.folder)
    expect(.damaged) { _ = try test.open() }
    #expect(try keychain.secret(for: token).count == 6)
  }

  @Test func areAReasonToRefuseAMissingFolder() throws {
    let test = try TestVault()
    test.options.onFirstLaunch = .wipeAccessGroup
    test.options.reinstallation = .refuse
    _ = try test.open()
    try FileManager.default.removeItem(at: test.folder)
    // Control: a vault without items has nothing to lose.
    #expect(try test.open().launch == .firstAfterReinstallation)
    try test.device.keychain().add(token, secret: SecretBytes(utf8: "s3cr3t"))
    try FileManager.default.removeItem(at: test.folder)
    expect(.notPermitted) { _ = try test.open() }
    #expect(try test.device.keychain().secret(for: token).count == 6)
  }
}
