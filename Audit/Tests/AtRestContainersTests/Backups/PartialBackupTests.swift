import AtRestContainers
import AtRestCrypto
import AtRestFormats
import Foundation
import Testing

/// Backups of which parts are missing or still encrypted.
@Suite struct PartialBackupTests {
  private static let keychain = BackupMaker.File(
    domain: "KeychainDomain", path: "keychain-backup.plist", data: Data("no list".utf8))

  @Test(arguments: [true, false]) func aBadKeychainIsSkipped(_ isMissing: Bool) throws {
    var maker = BackupMaker(isEncrypted: false)
    maker.files.append(Self.keychain)
    maker.files[maker.files.count - 1].isMissing = isMissing
    let backup = try Backup(MemoryBackupStorage(files: maker.contents()))
    let keychain = try BackupKeychain(of: backup)
    #expect(keychain.items == [])
    #expect(keychain.skipped.map(\.path) == ["KeychainDomain/keychain-backup.plist"])
  }

  @Test func aLockedKeychainStillThrows() throws {
    var maker = BackupMaker(list: .old)
    maker.files.append(Self.keychain)
    let backup = try Backup(MemoryBackupStorage(files: maker.contents()))
    let error = #expect(throws: AtRestError.self) { try BackupKeychain(of: backup) }
    #expect(error?.code == .locked)
  }

  /// Domain folders with ciphertext and no list, as a copy of the wrong files has them.
  private static let copied: [String: Data] = {
    var random = SplitMix(state: 8)
    func noise(_ count: Int) -> Data {
      Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
    return [
      "AppDomain-com.example/Documents/a.txt": noise(4096),
      "AppDomain-com.example/Documents/b.db": noise(160),
      "HomeDomain/Library/c.txt": Data("A line of text.\n".utf8),
    ]
  }()

  @Test func foldersWithCiphertextAreReported() throws {
    let backup = try Backup(MemoryBackupStorage(files: Self.copied))
    #expect(
      backup.skipped == [
        Skip(
          path: "AppDomain-com.example",
          reason: "The files of this domain are still encrypted, and their keys are missing.")
      ])
    #expect(backup.files.filter(\.isEncrypted).count == 2)
    let scan = try ContainerScan(ContainerSource(backup)).run()
    #expect(scan.summary.problems.count == 1)
  }

  @Test func ciphertextIsNotExtracted() throws {
    let folder = try ScratchFolder()
    let backup = try Backup(MemoryBackupStorage(files: Self.copied))
    let result = try BackupExtraction(of: backup, into: folder.path + "/out").run { _ in true }
    #expect(result.written == ["HomeDomain/Library/c.txt"])
    #expect(result.skipped.count == 2)
    #expect(result.skipped.allSatisfy { $0.reason.contains("still encrypted") })
  }

  @Test func ciphertextUnderItsOwnNameIsDecrypted() throws {
    let maker = BackupMaker()
    var contents = try maker.contents()
    for file in maker.files where file.flags == 1 {
      let name = BackupMaker.fileID(file.domain, file.path)
      contents["\(file.domain)/\(file.path)"] = contents.removeValue(
        forKey: "\(name.prefix(2))/\(name)")
    }
    var backup = try Backup(MemoryBackupStorage(files: contents))
    try backup.unlock(password: SecretBytes(utf8: maker.keybag.password))
    for file in maker.files where file.flags == 1 {
      let entry = try #require(backup.file(domain: file.domain, path: file.path))
      let source = try backup.open(entry)
      #expect(try source.read(0..<source.count) == [UInt8](file.data), "\(file.path)")
    }
  }
}
