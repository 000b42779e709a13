import AtRestContainers
import AtRestCrypto
import AtRestFormats
import Foundation
import Testing

/// Backups in archives.
@Suite struct ArchivedBackupTests {
  private static func archive(_ maker: BackupMaker, and others: [String] = []) throws -> [UInt8] {
    var archive: [UInt8] = []
    for (path, data) in try maker.contents().sorted(by: { $0.key < $1.key }) {
      archive += Packing.tar("phone/\(path)", Array(data)).dropLast(1024)
    }
    for path in others { archive += Packing.tar(path, Array("A line.".utf8)).dropLast(1024) }
    return archive + [UInt8](repeating: 0, count: 1024)
  }

  @Test func anArchiveOfAnEncryptedBackupNeedsItsPassword() throws {
    let maker = BackupMaker()
    let folder = try ScratchFolder()
    try folder.write("a.tar", Self.archive(maker, and: ["readme.txt"]))
    let path = folder.path + "/a.tar"
    #expect(Backup.isBackup(path))
    var backup = try Backup(folder: path)
    #expect(backup.isLocked)
    try backup.unlock(password: SecretBytes(utf8: maker.keybag.password))
    let entry = try #require(
      backup.file(domain: "AppDomain-com.example", path: "Documents/notes.txt"))
    #expect(try backup.open(entry).prefix(100) == Array("A note.".utf8))
    #expect(backup.skipped.map(\.reason) == ["Files outside the backup were not read: 1."])
  }

  @Test func otherArchivesAreNoBackups() throws {
    let folder = try ScratchFolder()
    try folder.write("a.zip", Packing.zip("Manifest.plist", Array("A line.".utf8)))
    try folder.write("a.txt", Array("A line.".utf8))
    #expect(!Backup.isBackup(folder.path + "/a.zip"))
    #expect(!Backup.isBackup(folder.path + "/a.txt"))
    #expect(!Backup.isBackup(folder.path + "/missing"))
  }

  @Test(arguments: [true, false]) func anArchiveInAContainerIsReported(_ isEncrypted: Bool) throws {
    let archive = try Self.archive(BackupMaker(isEncrypted: isEncrypted))
    let files = ["a.zip": Packing.zip("b.tar", archive)]
    let problems = try ContainerScan(ContainerSource(files: files)).run().summary.problems
    let isReported = problems.contains {
      "\($0.locator)" == "a.zip › b.tar" && $0.reason.contains("encrypted backup")
    }
    #expect(isReported == isEncrypted)
  }
}
