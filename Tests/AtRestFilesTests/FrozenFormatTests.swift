import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation
import Testing

/// Files of every version of the format open in every later version.
@Suite struct FrozenFormatTests {
  static let versions = ["v1"]

  /// Copies a version's fixtures, because opening writes.
  private func copy(_ version: String) throws -> TestFolder {
    let folder = try TestFolder()
    let fixtures = try #require(
      Bundle.module.url(forResource: "Fixtures/\(version)", withExtension: nil))
    for name in try FileManager.default.contentsOfDirectory(atPath: fixtures.path) {
      try FileManager.default.copyItem(
        at: fixtures.appendingPathComponent(name), to: folder.path(name))
    }
    // Git keeps no permissions, and a clone has those of its user's mask.
    for name in ["store", "device"] {
      let place = folder.path(name)
      for file in try FileManager.default.contentsOfDirectory(atPath: place.path) {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: place.appendingPathComponent(file).path)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.path)
    }
    return folder
  }

  private func files(_ folder: TestFolder) throws -> ProtectedFiles {
    let keybag = try Keybag.open(
      at: folder.path("store"), device: FileDeviceKey.openOrCreate(in: folder.path("device")))
    try keybag.unlock(passcode: SecretBytes(utf8: FrozenFiles.passcode))
    return ProtectedFiles(keybag)
  }

  @Test(arguments: versions, FrozenFiles.names) func filesOfAStoreOpen(
    _ version: String, _ name: String
  ) throws {
    let folder = try copy(version)
    #expect(try files(folder).read(folder.path(name)) == FrozenFiles.contents(name))
    #expect(!folder.names.contains(name + ".atrest-journal"))
  }

  @Test(arguments: versions, FrozenFiles.names) func filesOfAStoreAreChanged(
    _ version: String, _ name: String
  ) throws {
    let folder = try copy(version)
    let files = try files(folder)
    let handle = try files.open(folder.path(name), for: .updating)
    try handle.append(Data("more".utf8))
    try handle.close()
    #expect(try files.read(folder.path(name)) == FrozenFiles.contents(name) + Data("more".utf8))
  }

  @Test(arguments: versions) func filesUnderAPassphraseOpen(_ version: String) throws {
    let folder = try copy(version)
    let files = try ProtectedFiles(passphrase: SecretBytes(utf8: FrozenFiles.passphrase))
    #expect(
      try files.read(folder.path("passphrase")) == FrozenFiles.contents("passphrase"))
  }

  @Test(arguments: versions, [FrozenFiles.x25519, FrozenFiles.p256]) func filesForRecipientsOpen(
    _ version: String, _ key: String
  ) throws {
    let folder = try copy(version)
    let files = try ProtectedFiles(
      identity: FrozenFiles.privateKey(key, key == FrozenFiles.p256 ? .p256 : .x25519))
    #expect(
      try files.read(folder.path("recipients")) == FrozenFiles.contents("recipients"))
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["ATREST_MAKE_FIXTURES"] != nil))
  func makeFixtures() throws {
    let version = try #require(ProcessInfo.processInfo.environment["ATREST_MAKE_FIXTURES"])
    let target = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(version)")
    try #require(!FileManager.default.fileExists(atPath: target.path))
    try FrozenFiles.make(in: target)
  }
}
