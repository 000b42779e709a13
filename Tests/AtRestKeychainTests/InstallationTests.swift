import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// The items that an earlier installation left, for an application without a vault.
@Suite final class InstallationTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("installation-\(UUID().uuidString)", isDirectory: true)
  private let token = PrimaryKey.genericPassword(service: "com.example.api", account: "eva")
  private let device: SimulatedDevice

  init() throws { device = try SimulatedDevice(passcode: "1234") }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func launch() throws -> Keychain.Launch {
    try device.reinstall().beginInstallation(in: folder)
  }

  private func add() throws {
    try device.keychain().add(token, secret: SecretBytes(utf8: "s3cr3t"))
  }

  private func marker() throws -> URL {
    try #require(
      FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .first { $0.lastPathComponent.hasPrefix("keychain-installation-") })
  }

  private func isKept() throws -> Bool { try exists(token, in: device.keychain()) }

  private func exists(_ key: PrimaryKey, in keychain: Keychain) throws -> Bool {
    try !keychain.items(matching: KeychainQuery(key)).isEmpty
  }

  @Test func goAtTheFirstLaunchAfterAReinstallation() throws {
    #expect(try launch() == .first)
    try add()
    #expect(try launch() == .further)
    #expect(try isKept())
    try FileManager.default.removeItem(at: folder)
    #expect(try launch() == .firstAfterReinstallation)
    #expect(try !isKept())
    #expect(try launch() == .further)
  }

  @Test func goWhileTheStoreIsLocked() throws {
    #expect(try launch() == .first)
    try add()
    try FileManager.default.removeItem(at: folder)
    try device.restart()
    #expect(try launch() == .firstAfterReinstallation)
    try device.unlock()
    #expect(try !isKept())
  }

  /// An update that introduces the call finds items without a marker.
  @Test func stayWhereNoEarlierInstallationIsKnown() throws {
    try add()
    #expect(try launch() == .first)
    #expect(try isKept())
  }

  /// The usual wipe of Keychain Services does not remove the memory of the installation.
  @Test func goAfterAWipeByTheApplication() throws {
    #expect(try launch() == .first)
    try device.keychain().deleteAllItems()
    try add()
    try FileManager.default.removeItem(at: folder)
    #expect(try launch() == .firstAfterReinstallation)
    #expect(try !isKept())
  }

  @Test func stayWhereTheMarkerCannotBeRead() throws {
    #expect(try launch() == .first)
    try add()
    let marker = try marker()
    let intact = try Data(contentsOf: marker)
    for contents in [Data(), intact.dropLast(), Data(count: intact.count)] {
      try contents.write(to: marker)
      let error = #expect(throws: AtRestError.self) { _ = try launch() }
      #expect(error?.code == .damaged)
    }
    try FileManager.default.removeItem(at: marker)
    try FileManager.default.createDirectory(at: marker, withIntermediateDirectories: false)
    #expect(throws: AtRestError.self) { _ = try launch() }
    #expect(try isKept())
  }

  @Test func stayWhereTheFolderIsALink() throws {
    #expect(try launch() == .first)
    try add()
    let moved = folder.appendingPathExtension("moved")
    try FileManager.default.moveItem(at: folder, to: moved)
    defer { try? FileManager.default.removeItem(at: moved) }
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: moved)
    #expect(throws: AtRestError.self) { _ = try launch() }
    #expect(try isKept())
  }

  /// Another program of the same group, or the same program with another folder.
  @Test func stayWhereAnotherFolderIsNamed() throws {
    #expect(try launch() == .first)
    try add()
    let other = folder.appendingPathExtension("other")
    defer { try? FileManager.default.removeItem(at: other) }
    for _ in 0..<2 {
      let error = #expect(throws: AtRestError.self) {
        try device.keychain().beginInstallation(in: other)
      }
      #expect(error?.code == .notPermitted)
    }
    #expect(try isKept())
    #expect(try launch() == .further)
    // Control: the application says that its folder may have moved.
    try FileManager.default.removeItem(at: folder)
    #expect(
      try device.keychain().beginInstallation(in: other, acceptingOtherFolder: true)
        == .firstAfterReinstallation)
    #expect(try !isKept())
  }

  @Test func goInEachGroupOfAFolder() throws {
    let identity = ApplicationIdentity("com.example.app", keychainAccessGroups: ["own", "shared"])
    let keychain = try device.keychain(as: identity)
    let shared = PrimaryKey.genericPassword(service: "s", account: "a", group: "shared")
    func launch() throws -> [Keychain.Launch] {
      try [nil, "shared"].map { try keychain.beginInstallation(in: folder, group: $0) }
    }
    #expect(try launch() == [.first, .first])
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    try keychain.add(shared, secret: SecretBytes(utf8: "s3cr3t"))
    #expect(try launch() == [.further, .further])
    try FileManager.default.removeItem(at: folder)
    #expect(try launch() == [.firstAfterReinstallation, .firstAfterReinstallation])
    #expect(try !exists(token, in: keychain))
    #expect(try !exists(shared, in: keychain))
  }

  /// Nothing is decided on a memory that is damaged.
  @Test func stayWhereTheMemoryIsDamaged() throws {
    let store = try DiskStore(passcode: nil)
    try store.keybag.unlock()
    try store.keychain.beginInstallation(in: folder)
    try store.keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    let device = store.storeFolder.deletingLastPathComponent().appendingPathComponent("device")
    let memory = try #require(
      FileManager.default.contentsOfDirectory(at: device, includingPropertiesForKeys: nil)
        .first { $0.lastPathComponent.contains("-installation-") })
    try FileManager.default.removeItem(at: folder)
    let intact = try Data(contentsOf: memory)
    for contents in [Data(), intact.dropLast(), Data(count: intact.count)] {
      try contents.write(to: memory)
      let error = #expect(throws: AtRestError.self) {
        try store.keychain.beginInstallation(in: folder)
      }
      #expect(error?.code == .damaged)
      #expect(try exists(token, in: store.keychain))
    }
    try intact.write(to: memory)
    #expect(try store.keychain.beginInstallation(in: folder) == .firstAfterReinstallation)
  }

  @Test func ofOtherGroupsStay() throws {
    let identity = ApplicationIdentity("com.example.app", keychainAccessGroups: ["own", "shared"])
    let keychain = try device.keychain(as: identity)
    let shared = PrimaryKey.genericPassword(service: "s", account: "a", group: "shared")
    try keychain.beginInstallation(in: folder)
    try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
    try keychain.add(shared, secret: SecretBytes(utf8: "s3cr3t"))
    try FileManager.default.removeItem(at: folder)
    #expect(try keychain.beginInstallation(in: folder) == .firstAfterReinstallation)
    #expect(try !exists(token, in: keychain))
    #expect(try exists(shared, in: keychain))
    let error = #expect(throws: AtRestError.self) {
      try keychain.beginInstallation(in: folder, group: "theirs")
    }
    #expect(error?.code == .missingEntitlement)
  }

  @Test func ofEveryClassGo() throws {
    let keychain = try device.keychain()
    try keychain.add(token, secret: SecretBytes(utf8: "1"))
    try keychain.add(
      .genericPassword(service: "s", account: "a", synchronizable: true),
      secret: SecretBytes(utf8: "2"))
    try keychain.add(
      .internetPassword(server: "example.com", account: "a"), secret: SecretBytes(utf8: "3"))
    try keychain.createKey(.p256, tag: "com.example.key")
    #expect(try keychain.deleteAllItems() == 4)
    #expect(try keychain.deleteAllItems() == 0)
  }

  @Test func anApplicationMayWait() async throws {
    #expect(try device.keychain().beginInstallation(in: folder) == .first)
    #expect(try device.keychain().deleteAllItems() == 0)
  }
}
