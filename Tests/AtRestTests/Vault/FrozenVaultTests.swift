import AtRest
import Foundation
import Testing

/// Every released version of the Vault's formats opens, and returns the values that were stored.
@Suite final class FrozenVaultTests {
  static let versions = ["v1"]

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-frozen-vault-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Copies a version's fixtures, with the permissions that git does not keep.
  private func thaw(_ version: String) throws {
    let fixtures = try #require(Bundle.module.resourceURL)
      .appendingPathComponent("Fixtures").appendingPathComponent(version)
    try FileManager.default.copyItem(at: fixtures, to: folder)
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey]))
    {
      let isFolder = try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
      try FileManager.default.setAttributes(
        [.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: file.path)
    }
  }

  private func keychain() throws -> Keychain {
    let device = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
    let keybag = try Keybag.open(at: folder.appendingPathComponent("store"), device: device)
    try keybag.unlock(passcode: SecretBytes(utf8: FrozenVault.passcode))
    return try Keychain.open(keybag, identity: FrozenVault.identity)
  }

  private func vault(_ keychain: Keychain) throws -> Vault {
    try Vault.open(
      in: folder.appendingPathComponent("vault"), keychain: keychain, options: FrozenVault.options)
  }

  @Test(arguments: versions) func everyValueIsThere(_ version: String) throws {
    try thaw(version)
    let keychain = try keychain()
    defer { keychain.close() }
    let vault = try vault(keychain)
    #expect(vault.launch == .further)
    #expect(try vault.accounts == ["Éva"])
    #expect(try vault.device.value(in: FrozenVault.note) == "of the device")
    #expect(try vault.device.preferences.integer(forKey: "number") == 7)
    let eva = try vault.logIn("Éva")
    #expect(try eva.value(in: FrozenVault.note) == "of Éva")
    #expect(try eva.value(in: FrozenVault.file) == FrozenVault.contents)
    #expect(try eva.value(in: FrozenVault.limited) == "limited")
    #expect(try eva.contents.first { $0.name == "counted" }?.usesLeft == 8)
    #expect(try eva.value(in: FrozenVault.counted) == "counted")
    expect(.passphraseRequired) { _ = try eva.value(in: FrozenVault.secret) }
    try eva.unlock(passphrase: SecretBytes(utf8: FrozenVault.phrase))
    #expect(try eva.value(in: FrozenVault.secret) == Data([1, 2, 3]))
    #expect(try eva.value(in: FrozenVault.message) == "composite")
    #expect(try keychain.verify().problems.isEmpty)
  }

  /// Control: the frozen values are bound to their folder and their recipe.
  @Test(arguments: versions) func anotherRecipeOrFolderIsRefused(_ version: String) throws {
    try thaw(version)
    let keychain = try keychain()
    defer { keychain.close() }
    var options = FrozenVault.options
    options.compositeKey = CompositeKey([
      .deviceIdentifier, .server { SecretBytes(utf8: "another part") },
    ])
    let vault = try Vault.open(
      in: folder.appendingPathComponent("vault"), keychain: keychain, options: options)
    expect(.damaged) { _ = try vault.logIn("Éva").value(in: FrozenVault.message) }
    let marker = folder.appendingPathComponent("vault/installation")
    var bytes = try Data(contentsOf: marker)
    bytes[0] ^= 1
    try bytes.write(to: marker)
    expect(.notPermitted) { _ = try self.vault(keychain) }
  }

  /// Not a test: makes the fixtures of the current version if they do not exist yet.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["ATREST_MAKE_FIXTURES"] != nil))
  func makeFixtures() throws {
    let version = try #require(ProcessInfo.processInfo.environment["ATREST_MAKE_FIXTURES"])
    let target = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/\(version)")
    try #require(!FileManager.default.fileExists(atPath: target.path), "\(version) is frozen.")
    try FrozenVault.make(in: target)
  }
}
