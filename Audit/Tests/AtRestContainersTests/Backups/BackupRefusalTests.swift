import AtRestContainers
import AtRestCrypto
import Foundation
import Testing

/// Everything that can be wrong with a backup has its own error.
@Suite struct BackupRefusalTests {
  private func open(_ files: [String: Data], password: String? = nil) throws -> Backup {
    var backup = try Backup(MemoryBackupStorage(files: files))
    if let password { try backup.unlock(password: SecretBytes(utf8: password)) }
    return backup
  }

  private let password = KeybagMaker().password

  private func expect(
    _ code: AtRestError.Code, _ message: String, _ body: () throws -> Void
  ) {
    let error = #expect(throws: AtRestError.self) { try body() }
    #expect(error?.code == code)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func aFolderThatIsNoBackup() {
    expect(.notFound, "not a backup") { _ = try open(["Documents/a": Data()]) }
  }

  @Test func noFolder() {
    expect(.notFound, "does not exist") { _ = try Backup(folder: "/nowhere/at/all") }
  }

  @Test func aMissingList() throws {
    var files = try BackupMaker().contents()
    files["Manifest.db"] = nil
    expect(.notFound, "Manifest.db is missing") { _ = try open(files) }
  }

  @Test func aMissingPropertyList() throws {
    var files = try BackupMaker().contents()
    files["Manifest.plist"] = nil
    expect(.damaged, "Manifest.db is not a database") { _ = try open(files) }
  }

  @Test func aDamagedPropertyList() throws {
    var files = try BackupMaker().contents()
    files["Manifest.plist"] = Data("nonsense".utf8)
    expect(.damaged, "Manifest.plist") { _ = try open(files) }
  }

  @Test func aWrongPassword() throws {
    let files = try BackupMaker().contents()
    for wrong in ["", "correct horse", "correct horse 中文密碼"] {
      expect(.authenticationFailed, "password") { _ = try open(files, password: wrong) }
    }
  }

  @Test func aPasswordForNothing() throws {
    let files = try BackupMaker(isEncrypted: false).contents()
    expect(.notEncrypted, "not encrypted") { _ = try open(files, password: password) }
  }

  @Test func aLockedFile() throws {
    let backup = try open(try BackupMaker(list: .old).contents())
    let entry = try #require(backup.files.first { $0.kind == .file })
    expect(.locked, "locked") { _ = try backup.open(entry) }
  }

  @Test func aMissingFile() throws {
    var maker = BackupMaker()
    maker.files[2].isMissing = true
    let backup = try open(try maker.contents(), password: password)
    let entry = try #require(backup.files.first { $0.path == "Documents/notes.txt" })
    expect(.notFound, "missing") { _ = try backup.open(entry) }
  }

  @Test func aDamagedEndOfAFile() throws {
    var files = try BackupMaker().contents()
    let name = BackupMaker.fileID("AppDomain-com.example", "Documents/notes.txt")
    let path = "\(name.prefix(2))/\(name)"
    for change in [{ Data($0.dropLast(1)) }, { Data($0.map { $0 ^ 1 }) }] as [(Data) -> Data] {
      files[path] = change(try #require(BackupMaker().contents()[path]))
      let backup = try open(files, password: password)
      let entry = try #require(
        backup.file(domain: "AppDomain-com.example", path: "Documents/notes.txt"))
      expect(.damaged, "modified or cut off") { _ = try backup.open(entry) }
    }
  }

  @Test func aDamagedList() throws {
    var files = try BackupMaker().contents()
    files["Manifest.db"]?[3] ^= 1
    expect(.damaged, "The password is right, but Manifest.db") {
      _ = try open(files, password: password)
    }
    files = try BackupMaker().contents()
    files["Manifest.db"]?.removeLast()
    expect(.damaged, "The password is right, but Manifest.db") {
      _ = try open(files, password: password)
    }
  }

  @Test func aNameThatDoesNotGoWithItsPathIsSaid() throws {
    var maker = BackupMaker(isEncrypted: false)
    maker.files[2].fileID = String(repeating: "ab", count: 20)
    let backup = try open(try maker.contents())
    #expect(backup.skipped.map(\.path) == ["AppDomain-com.example/Documents/notes.txt"])
    #expect(backup.files.count == maker.files.count)
  }

  @Test func aNameThatIsNoHashIsLeftOut() throws {
    var maker = BackupMaker(isEncrypted: false)
    maker.files[2].fileID = "../../etc/passwd"
    let backup = try open(try maker.contents())
    #expect(backup.files.count == maker.files.count - 1)
    #expect(backup.skipped.count == 1)
  }

  @Test func errorsHoldNoPassword() throws {
    let files = try BackupMaker().contents()
    do {
      _ = try open(files, password: "wr0ng-and-secret")
    } catch {
      #expect(!"\(error)".contains("wr0ng"))
    }
  }
}
