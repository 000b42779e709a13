import AtRestContainers
import AtRestCrypto
import Foundation
import Testing

/// Files of a backup are written to a folder and nowhere else.
@Suite struct BackupExtractionTests {
  private func unlocked(_ maker: BackupMaker) throws -> Backup {
    var backup = try Backup(MemoryBackupStorage(files: maker.contents()))
    try backup.unlock(password: SecretBytes(utf8: maker.keybag.password))
    return backup
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func mode(_ url: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func chosenFilesAreWritten() throws {
    try withFolder { folder in
      let out = folder.appending(path: "out")
      let result = try BackupExtraction(of: unlocked(BackupMaker()), into: out.path).run {
        $0.domain == "AppDomain-com.example"
      }
      #expect(result.skipped == [])
      #expect(result.written.count == 3)
      #expect(result.size == 100_039)
      #expect(try names(out).count == 5)
      for file in BackupMaker.files where result.written.contains("\(file.domain)/\(file.path)") {
        let url = out.appending(path: "\(file.domain)/\(file.path)")
        #expect(try Data(contentsOf: url) == file.data)
        #expect(try mode(url) == 0o600)
      }
      #expect(try mode(out.appending(path: "AppDomain-com.example/Documents")) == 0o700)
    }
  }

  @Test(arguments: [
    ("AppDomain-a", "../../outside"), ("AppDomain-a", "/outside"), ("..", "outside"),
    ("AppDomain-a", "b/./c"), ("AppDomain-a", "b//c"), ("a/../..", "outside"), ("", "outside"),
    ("AppDomain-a", "b/../../../outside"), ("AppDomain-a", "b/\u{301}../c"),
    ("AppDomain-a", String(repeating: "x", count: 300)), ("AppDomain-a", "b\0c"),
  ])
  func pathsThatLeadElsewhere(domain: String, path: String) throws {
    var maker = BackupMaker(isEncrypted: false)
    maker.files = [.init(domain: domain, path: path, data: Data("evil".utf8))]
    let backup = try Backup(MemoryBackupStorage(files: maker.contents()))
    try withFolder { folder in
      let out = folder.appending(path: "a/b/out")
      try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
      let result = try BackupExtraction(of: backup, into: out.path).run { _ in true }
      // After the slash, the accent and the dots are an ordinary name, so the file stays inside.
      if path.contains("\u{301}") {
        #expect(result.written.allSatisfy { $0.utf8.starts(with: "AppDomain-a/b/".utf8) })
      } else {
        #expect(result.written == [])
        #expect(result.skipped.count == 1)
        #expect(try names(out) == [])
      }
      #expect(try names(folder).filter { !$0.hasPrefix("a/b/out") } == ["a", "a/b"])
    }
  }

  @Test func linksInTheFolderAreNotFollowed() throws {
    try withFolder { folder in
      let out = folder.appending(path: "out")
      let elsewhere = folder.appending(path: "elsewhere")
      for url in [out, elsewhere] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      try FileManager.default.createSymbolicLink(
        at: out.appending(path: "AppDomain-com.example"), withDestinationURL: elsewhere)
      let result = try BackupExtraction(of: unlocked(BackupMaker()), into: out.path).run {
        $0.domain == "AppDomain-com.example"
      }
      #expect(result.written == [])
      #expect(result.skipped.count == 5)
      #expect(try names(elsewhere) == [])
    }
  }

  @Test func aLinkInPlaceOfAFileIsReplaced() throws {
    try withFolder { folder in
      let out = folder.appending(path: "out")
      let victim = folder.appending(path: "victim")
      try Data("untouched".utf8).write(to: victim)
      let documents = out.appending(path: "AppDomain-com.example/Documents")
      try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: documents.appending(path: "notes.txt"), withDestinationURL: victim)
      _ = try BackupExtraction(of: unlocked(BackupMaker()), into: out.path).run {
        $0.path == "Documents/notes.txt"
      }
      #expect(try Data(contentsOf: victim) == Data("untouched".utf8))
      #expect(try Data(contentsOf: documents.appending(path: "notes.txt")) == Data("A note.".utf8))
    }
  }

  @Test func aFileThatFailsLeavesNothing() throws {
    var maker = BackupMaker()
    maker.files[3].isMissing = true
    try withFolder { folder in
      let out = folder.appending(path: "out")
      let result = try BackupExtraction(of: unlocked(maker), into: out.path).run {
        $0.kind == .file
      }
      #expect(result.written.count == 3)
      #expect(result.skipped.map(\.path) == ["AppDomain-com.example/Documents/größer.bin"])
      #expect(try names(out).allSatisfy { !$0.contains(".atrest") })
    }
  }

  @Test func linksOfTheBackupAreNotMade() throws {
    try withFolder { folder in
      let out = folder.appending(path: "out")
      let result = try BackupExtraction(of: unlocked(BackupMaker()), into: out.path).run {
        $0.kind == .link
      }
      #expect(result.skipped.count == 1)
      #expect(try names(out) == [])
    }
  }

  @Test func lockedBackupsAreRefused() throws {
    let backup = try Backup(MemoryBackupStorage(files: BackupMaker(list: .old).contents()))
    try withFolder { folder in
      let error = #expect(throws: AtRestError.self) {
        try BackupExtraction(of: backup, into: folder.appending(path: "out").path)
      }
      #expect(error?.code == .locked)
    }
  }
}
