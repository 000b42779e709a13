import AtRestContainers
import AtRestCrypto
import AtRestFormats
import Foundation
import Testing

/// Walks through backups, and backups in archives.
@Suite struct BackupTreeTests {
  private func unlocked(_ storage: any BackupStorage) throws -> Backup {
    var backup = try Backup(storage)
    try backup.unlock(password: SecretBytes(utf8: KeybagMaker().password))
    return backup
  }

  @Test func aWalkGoesThroughAnEncryptedBackup() throws {
    let backup = try unlocked(MemoryBackupStorage(files: BackupMaker().contents()))
    let run = try WalkRun(ContainerSource(BackupTree(backup)))
    #expect(
      run.locators(of: "A note.").contains {
        $0.hasPrefix("AppDomain-com.example/Documents/notes.txt")
      })
    #expect(run.summary.problems == [])
  }

  @Test func chosenFilesAlone() throws {
    let backup = try unlocked(MemoryBackupStorage(files: BackupMaker().contents()))
    let listing = try BackupTree(backup) { $0.domain == "HomeDomain" }.list(limit: 9)
    #expect(listing.files.map(\.path) == ["HomeDomain/Library/empty"])
    #expect(
      listing.files.first?.protectionClass
        == "NSFileProtectionCompleteUntilFirstUserAuthentication")
  }

  /// The files of a backup as they are in an archive of its folder.
  private struct Archive: FileTree {
    let files: [String: Data]

    func list(limit: Int) -> FileListing {
      FileListing(
        files: files.keys.sorted().map { TreeFile(path: "dev/\($0)", size: files[$0]?.count ?? 0) })
    }

    func open(_ file: TreeFile) -> FileContents {
      let data = files[String(file.path.dropFirst(4))] ?? Data()
      return .stream { each throws(FormatError) in
        for start in stride(from: 0, to: data.count, by: 1000) {
          try each([UInt8](data.dropFirst(start).prefix(1000)))
        }
      }
    }
  }

  @Test func backupsInArchives() throws {
    let backup = try unlocked(TreeBackupStorage(Archive(files: BackupMaker().contents())))
    for file in BackupMaker.files where file.flags == 1 {
      let entry = try #require(backup.file(domain: file.domain, path: file.path))
      let source = try backup.open(entry)
      #expect(try source.read(0..<source.count) == [UInt8](file.data))
    }
  }
}
