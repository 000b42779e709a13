import AtRestContainers
import AtRestCrypto
import Foundation
import Testing

/// Backups in folders on disk.
@Suite struct FolderBackupTests {
  private func withBackup(_ maker: BackupMaker, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, data) in try maker.contents() {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
    try body(folder)
  }

  @Test func filesOpenAndNothingIsWritten() throws {
    let maker = BackupMaker()
    try withBackup(maker) { folder in
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      var backup = try Backup(folder: folder.path)
      try backup.unlock(password: SecretBytes(utf8: maker.keybag.password))
      for file in maker.files where file.flags == 1 {
        let entry = try #require(backup.file(domain: file.domain, path: file.path))
        let source = try backup.open(entry)
        #expect(try source.read(0..<source.count) == [UInt8](file.data))
      }
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
    }
  }

  @Test func foldersOfDomains() throws {
    let maker = BackupMaker(isEncrypted: false, layout: .domains)
    try withBackup(maker) { folder in
      for list in ["Manifest.db", "Manifest.plist"] {
        try FileManager.default.removeItem(at: folder.appending(path: list))
      }
      let backup = try Backup(folder: folder.path)
      #expect(backup.files.count == 4)
      #expect(backup.files.allSatisfy { $0.kind == .file && !$0.isEncrypted })
    }
  }

  @Test func linksAreNotFollowed() throws {
    let maker = BackupMaker(isEncrypted: false)
    try withBackup(maker) { folder in
      let file = maker.files[2]
      let prefix = BackupMaker.fileID(file.domain, file.path).prefix(2)
      let elsewhere = folder.appending(path: "elsewhere")
      try FileManager.default.moveItem(at: folder.appending(path: "\(prefix)"), to: elsewhere)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "\(prefix)"), withDestinationURL: elsewhere)
      let backup = try Backup(folder: folder.path)
      let entry = try #require(backup.file(domain: file.domain, path: file.path))
      let error = #expect(throws: AtRestError.self) { try backup.open(entry) }
      #expect(error?.code == .system)
    }
  }
}
