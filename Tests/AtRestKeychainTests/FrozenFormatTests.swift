import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Every released version of the on-disk formats can be opened and returns the original contents.
@Suite final class FrozenFormatTests {
  static let versions = ["v1"]

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("atrest-frozen-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Copies a version's fixtures, and restores the permissions that git does not store.
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

  private func device() throws -> FileDeviceKey {
    try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("device"))
  }

  private func store(_ name: String = "store") throws -> Keybag {
    try Keybag.open(at: folder.appendingPathComponent(name), device: device())
  }

  private func unlocked(_ keybag: Keybag) throws -> Keychain {
    try keybag.unlock(passcode: SecretBytes(utf8: FrozenStore.passcode))
    return try Keychain.open(
      keybag, identity: FrozenStore.identity, authenticator: FrozenStore.User())
  }

  @Test(arguments: versions) func everySecretIsThere(_ version: String) throws {
    try thaw(version)
    let keychain = try unlocked(store())
    defer { keychain.close() }
    for accessibility in Accessibility.allCases {
      let item = try keychain.item(for: FrozenStore.item(accessibility))
      #expect(item.protection == .accessible(accessibility))
      #expect(item.attributes.label == "frozen")
      #expect(item.attributes[.generic] == "generic")
      #expect(item.attributes.creationDate != nil)
      #expect(
        try keychain.text(FrozenStore.item(accessibility)) == FrozenStore.secret(accessibility))
    }
    #expect(try keychain.text(FrozenStore.internet) == "internet")
    #expect(try keychain.item(for: FrozenStore.internet).attributes.comment == "comment")
    #expect(try keychain.text(FrozenStore.certificate) == "certificate")
    #expect(try keychain.text(FrozenStore.keyed()) == "symmetric key")
    #expect(
      try keychain.item(for: FrozenStore.keyed()).attributes[.startDate]
        == .date(FrozenStore.date))
    #expect(try keychain.text(FrozenStore.synchronizable) == "synchronizable")
    #expect(try !keychain.item(for: FrozenStore.empty).hasSecret)
    #expect(try keychain.text(FrozenStore.updated) == "newer")
    #expect(refusal { try keychain.text(FrozenStore.deleted) } == .notFound)
    for key in FrozenStore.bulk { #expect(try keychain.text(key) == "bulk") }
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword, [.service: "bulk"])).count
        == FrozenStore.bulk.count)
    #expect(try keychain.verify().problems.isEmpty)
  }

  @Test(arguments: versions) func accessControlAndApplicationPasswordHold(
    _ version: String
  ) throws {
    try thaw(version)
    let keychain = try unlocked(store())
    defer { keychain.close() }
    #expect(try keychain.text(FrozenStore.controlled) == "controlled")
    #expect(
      try keychain.item(for: FrozenStore.controlled).protection
        == .controlled(FrozenStore.control))
    let forbidden = AuthenticationContext(interaction: .forbidden)
    #expect(
      refusal { try keychain.text(FrozenStore.controlled, forbidden) } == .interactionNotAllowed)
    #expect(
      try keychain.text(FrozenStore.protected, FrozenStore.applicationContext)
        == "twice sealed")
    let wrong = AuthenticationContext(applicationPassword: SecretBytes(utf8: "wrong"))
    #expect(
      refusal { try keychain.text(FrozenStore.protected, wrong) } == .authenticationFailed)
  }

  @Test(arguments: versions) func theKeyPairSigns(_ version: String) throws {
    try thaw(version)
    let keychain = try unlocked(store())
    defer { keychain.close() }
    let publicKey = try PublicKey(
      x963Representation: FrozenStore.bytes(FrozenStore.publicPoint))
    #expect(try keychain.publicKey(tag: FrozenStore.tag) == publicKey)
    let message = Data("sample".utf8)
    let signature = try keychain.sign(message, tag: FrozenStore.tag)
    #expect(try publicKey.isValidSignature(signature, for: message))
    #expect(refusal { _ = try keychain.exportKey(tag: FrozenStore.tag).algorithm } == .notPermitted)
  }

  @Test(arguments: versions) func aReferenceThatWasKeptFindsItsItem(_ version: String) throws {
    try thaw(version)
    let keychain = try unlocked(store())
    defer { keychain.close() }
    let reference = try PersistentReference(
      data: Data(contentsOf: folder.appendingPathComponent("reference")))
    #expect(try keychain.text(reference) == FrozenStore.secret(.whenUnlocked))
  }

  @Test(arguments: versions) func keysOfTheSecureEnclaveOpen(_ version: String) throws {
    try thaw(version)
    let keychain = try unlocked(store())
    defer { keychain.close() }
    let read = { (name: String) in try Data(contentsOf: self.folder.appendingPathComponent(name)) }
    let signing = try keychain.enclaveKey(read("enclave-signing"), for: .signing)
    let message = Data("sample".utf8)
    let signature = try keychain.withPrivateKey(of: signing, context: AuthenticationContext()) {
      try $0.signature(for: message, scheme: nil)
    }
    #expect(try signing.publicKey.isValidSignature(signature, for: message))
    let agreement = try keychain.enclaveKey(read("enclave-agreement"), for: .keyAgreement)
    let agree = { (context: AuthenticationContext) in
      try keychain.withPrivateKey(of: agreement, context: context) {
        try $0.sharedSecret(with: signing.publicKey).count
      }
    }
    #expect(try agree(FrozenStore.applicationContext) == 32)
    #expect(
      refusal { _ = try agree(AuthenticationContext(interaction: .forbidden)) }
        == .interactionNotAllowed)
  }

  @Test(arguments: versions) func beforeTheFirstUnlockOnlyAlwaysItemsOpen(
    _ version: String
  ) throws {
    try thaw(version)
    let keybag = try store()
    #expect(keybag.attemptLimit == 10)
    let keychain = try Keychain.open(keybag, identity: FrozenStore.identity)
    defer { keychain.close() }
    for accessibility in Accessibility.allCases {
      let isOpen = accessibility == .always || accessibility == .alwaysThisDeviceOnly
      #expect(
        refusal { try keychain.text(FrozenStore.item(accessibility)) }
          == (isOpen ? nil : .locked))
    }
    #expect(
      refusal { try keybag.unlock(passcode: SecretBytes(utf8: "first")) }
        == .authenticationFailed)
  }

  @Test(arguments: versions) func aStoreWithoutPasscodeOpens(_ version: String) throws {
    try thaw(version)
    let keychain = try Keychain.open(store("bare"), identity: FrozenStore.identity)
    defer { keychain.close() }
    #expect(
      try keychain.text(FrozenStore.item(.whenUnlocked)) == FrozenStore.secret(.whenUnlocked))
  }

  @Test(arguments: versions) func theBackupIsRestoredOnItsDevice(_ version: String) throws {
    try thaw(version)
    let keybag = try Keybag.create(
      at: folder.appendingPathComponent("restored"), device: device(),
      options: Keybag.Options(kdf: .forTesting))
    let keychain = try Keychain.open(keybag, identity: .owner())
    defer { keychain.close() }
    let summary = try keychain.restore(
      from: folder.appendingPathComponent("backup"),
      passphrase: SecretBytes(utf8: FrozenStore.passphrase))
    #expect(summary.leftOut.allSatisfy { $0.reason == .passcodeSet })
    let items = try Keychain.open(keybag, identity: FrozenStore.identity)
    defer { items.close() }
    for accessibility in Accessibility.allCases {
      let isThere = accessibility != .whenPasscodeSetThisDeviceOnly
      #expect(
        refusal { try items.text(FrozenStore.item(accessibility)) }
          == (isThere ? nil : .notFound))
    }
    #expect(
      try items.text(FrozenStore.protected, FrozenStore.applicationContext) == "twice sealed")
  }

  @Test(arguments: versions) func theBackupIsRestoredOnAnotherDevice(_ version: String) throws {
    try thaw(version)
    let other = try SimulatedDevice()
    let summary = try other.keychain(as: .owner()).restore(
      from: folder.appendingPathComponent("backup"),
      passphrase: SecretBytes(utf8: FrozenStore.passphrase))
    #expect(summary.leftOut.filter { $0.reason == .otherDevice }.count == 3)
    #expect(try summary.formerStores == [store().identity])
    let keychain = try other.keychain(as: FrozenStore.identity)
    for accessibility in Accessibility.allCases {
      #expect(
        refusal { try keychain.text(FrozenStore.item(accessibility)) }
          == (accessibility.keyClass.isMigratable ? nil : .notFound))
    }
    for key in FrozenStore.bulk { #expect(try keychain.text(key) == "bulk") }
  }

  /// Control: the frozen stores are bound to their device and authenticated.
  @Test(arguments: versions) func anotherDeviceOrAChangedByteIsRefused(_ version: String) throws {
    try thaw(version)
    let keybag = folder.appendingPathComponent("store").appendingPathComponent("keybag")
    let whole = try Data(contentsOf: keybag)
    var changed = whole
    changed[changed.count / 2] ^= 1
    try changed.write(to: keybag)
    #expect(refusal { try self.store() } == .damaged)
    try whole.write(to: keybag)
    let other = try FileDeviceKey.openOrCreate(in: folder.appendingPathComponent("other"))
    #expect(
      refusal {
        try Keybag.open(at: self.folder.appendingPathComponent("store"), device: other)
      } == .damaged)
    #expect(refusal { try self.store() } == nil)
  }

  /// Not a test: creates the fixtures of the current version, if they do not exist yet.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["ATREST_MAKE_FIXTURES"] != nil))
  func makeFixtures() throws {
    let version = try #require(ProcessInfo.processInfo.environment["ATREST_MAKE_FIXTURES"])
    let target = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(version)
    try #require(!FileManager.default.fileExists(atPath: target.path), "\(version) is frozen.")
    try FrozenStore.make(in: target)
  }
}
