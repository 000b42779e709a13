import AtRestContainers
import AtRestCrypto
import Crypto
import Foundation
import Testing

/// Intact backups.
@Suite struct BackupTests {
  private static let password = "correct horse 中文密码"

  private func backup(_ maker: BackupMaker) throws -> Backup {
    try Backup(MemoryBackupStorage(files: maker.contents()))
  }

  private func unlocked(_ maker: BackupMaker = BackupMaker()) throws -> Backup {
    var backup = try backup(maker)
    try backup.unlock(password: SecretBytes(utf8: Self.password))
    return backup
  }

  private func check(_ backup: Backup) throws {
    #expect(backup.skipped == [])
    let files = backup.files.filter { $0.kind == .file }
    #expect(files.count == 4)
    for file in BackupMaker.files where file.flags == 1 {
      let entry = try #require(backup.file(domain: file.domain, path: file.path))
      let source = try backup.open(entry)
      #expect(try source.read(0..<source.count) == [UInt8](file.data), "\(file.path)")
      #expect(entry.size == file.data.count)
    }
  }

  @Test(arguments: BackupMaker.Layout.allCases, BackupMaker.List.allCases)
  func filesOpen(layout: BackupMaker.Layout, list: BackupMaker.List) throws {
    var maker = BackupMaker(layout: layout, list: list)
    maker.isEncrypted = false
    maker.claimsEncryption = false
    let plain = try backup(maker)
    #expect(plain.isEncrypted == false)
    #expect(plain.isLocked == false)
    try check(plain)
  }

  @Test(arguments: [BackupMaker.Layout.hashed, .flat], BackupMaker.List.allCases)
  func encryptedFilesOpen(layout: BackupMaker.Layout, list: BackupMaker.List) throws {
    let maker = BackupMaker(layout: layout, list: list)
    let locked = try backup(maker)
    #expect(locked.isEncrypted == true)
    #expect(locked.isLocked == true)
    #expect(locked.files.isEmpty == (list == .database))
    let open = try unlocked(maker)
    #expect(open.isLocked == false)
    try check(open)
  }

  @Test func oldDerivationWithoutOuterRounds() throws {
    var maker = BackupMaker(list: .old)
    maker.keybag.outerRounds = nil
    try check(unlocked(maker))
  }

  @Test func bytesAndNotTheClaimTellEncryption() throws {
    #expect(try backup(BackupMaker(claimsEncryption: false)).isEncrypted == true)
    #expect(try backup(BackupMaker(isEncrypted: false)).isEncrypted == false)
    #expect(try backup(BackupMaker(isEncrypted: false)).info.claimsEncryption == true)
  }

  /// Tools write the decrypted list and the decrypted files, and leave the keys in the list.
  @Test func decryptedCopiesAreNotEncrypted() throws {
    let encrypted = BackupMaker(list: .old)
    var files = try encrypted.contents()
    for file in encrypted.files where file.flags == 1 {
      let name = BackupMaker.fileID(file.domain, file.path)
      files["\(name.prefix(2))/\(name)"] = file.data
    }
    let backup = try Backup(MemoryBackupStorage(files: files))
    #expect(backup.isEncrypted == false)
    #expect(backup.files.allSatisfy { !$0.isEncrypted })
    try check(backup)
  }

  @Test func foldersOfDomainsAlone() throws {
    let backup = try Backup(
      MemoryBackupStorage(files: [
        "AppDomain-com.example/Documents/a.txt": Data("a".utf8), "HomeDomain/b": Data(),
        "Readme.txt": Data(), "Other/c": Data(),
      ]))
    #expect(backup.files.map(\.path) == ["Documents/a.txt", "b"])
    #expect(backup.files.map(\.domain) == ["AppDomain-com.example", "HomeDomain"])
    #expect(try backup.open(backup.files[0]).prefix(9) == Array("a".utf8))
  }

  @Test func entriesSayWhatTheManifestSays() throws {
    let backup = try unlocked()
    let entry = try #require(
      backup.file(domain: "AppDomain-com.example", path: "Documents/größer.bin"))
    #expect(entry.protectionClass?.description == "NSFileProtectionComplete")
    #expect(entry.isEncrypted == true)
    #expect(entry.modified == Date(timeIntervalSince1970: 1_600_000_000))
    let link = try #require(backup.files.first { $0.kind == .link })
    #expect(link.target == "/private/var")
    #expect(backup.files.count { $0.kind == .folder } == 2)
  }

  @Test func theDeviceIsNamed() throws {
    let backup = try backup(BackupMaker())
    #expect(backup.info.deviceName == "Änne’s phone")
    #expect(backup.info.systemVersion == "17.4")
    #expect(backup.info.deviceModel == "iPhone14,2")
    #expect(backup.info.date == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(backup.info.wasPasscodeSet == true)
    #expect(backup.applications.map(\.domain) == ["AppDomain-com.example"])
    #expect(backup.applications.first?.version == "7")
  }

  @Test func anyRangeOfAnEncryptedFileReads() throws {
    let backup = try unlocked()
    let file = BackupMaker.files[3]
    let entry = try #require(backup.file(domain: file.domain, path: file.path))
    let source = try backup.open(entry)
    let expected = [UInt8](file.data)
    var random = SplitMix(state: 7)
    for _ in 0..<2000 {
      let start = Int.random(in: 0...expected.count, using: &random)
      let end = Int.random(in: start...min(expected.count, start + 100), using: &random)
      #expect(try source.read(start..<end) == Array(expected[start..<end]))
    }
  }
}
