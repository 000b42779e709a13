import AtRestCrypto
import AtRestFormats
import Crypto
import Foundation

/// A backup of a device, made by Finder, iTunes or libimobiledevice, encrypted or not.
///
/// The bytes of its files, not its manifest, decide whether a backup is treated as encrypted.
/// Nothing is written: an encrypted `Manifest.db` is decrypted page by page as it is read, and so
/// is each file.
///
/// ```swift
/// var backup = try Backup(folder: path)
/// if backup.isLocked { try backup.unlock(password: password) }
/// for entry in backup.files where entry.domain == "AppDomain-com.example" {
///   let bytes = try backup.open(entry).prefix(16)
/// }
/// ```
///
/// Copies of the value share the data that was read. Safe to use from any thread.
public struct Backup: Sendable {
  /// The maximum number of files. Further files are skipped.
  public static let fileLimit = 5_000_000

  /// Information about the device and the backup, from the manifest.
  public let info: Info
  /// The apps that were installed on the device.
  public let applications: [Application]
  /// True if the backup's files are encrypted.
  public let isEncrypted: Bool
  /// The files, folders and links. Empty while the list itself is encrypted.
  public internal(set) var files: [Entry] = []
  /// The parts that could not be read, with reasons.
  public internal(set) var skipped: [Skip]

  let storage: any BackupStorage
  private let manifest: BackupManifest
  private let list: List
  private(set) var keys: AppleBackupKeys?

  /// The source of the list of files.
  private enum List: Sendable {
    case database(ByteSource)
    case encryptedDatabase(ByteSource)
    case old, folders
  }

  /// Opens a backup in a folder.
  ///
  /// - Parameter folder: The folder that contains `Manifest.plist`, usually named after the
  ///   device's identifier, or a folder with subfolders named by domain, as tools extract them. Or
  ///   an archive (zip, tar) of such a folder.
  /// - Throws: The errors of ``init(_:)``, and ``AtRestError/Code/notFound`` if the folder does not
  ///   exist.
  public init(folder: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
    if exists, !isFolder.boolValue, let archive = try Self.archive(at: folder) {
      try self.init(archive)
      if archive.others > 0 {
        let reason = "Files outside the backup were not read: \(archive.others)."
        skipped.append(Skip(path: folder, reason: reason))
      }
      return
    }
    guard exists, isFolder.boolValue else {
      throw AtRestError(
        .notFound, "The folder “\(folder)” does not exist.", remedy: "Give the backup's folder.")
    }
    try self.init(FolderBackupStorage(folder))
  }

  /// Opens a backup.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if this is not a backup, or its list of files is
  ///   missing; ``AtRestError/Code/damaged`` if `Manifest.plist` or the list cannot be parsed;
  ///   ``AtRestError/Code/system`` if a file cannot be read.
  package init(_ storage: any BackupStorage) throws {
    self.storage = storage
    manifest = try BackupManifest(storage)
    info = manifest.info
    applications = manifest.applications
    skipped = manifest.skipped
    list = try Self.findList(in: storage, manifest)
    switch list {
    case .encryptedDatabase:
      isEncrypted = true
      return
    case .database(let database):
      let rows = try Self.read(database, wal: try? storage.open("Manifest.db-wal"))
      (files, skipped) = (rows.entries, skipped + rows.skipped)
    case .old:
      let old = try Self.readOldList(in: storage)
      (files, skipped) = (old.entries, skipped + old.skipped)
    case .folders:
      let found = Self.entriesOfFolders(in: storage)
      (files, skipped) = (found.entries, skipped + found.skipped)
      isEncrypted = false
      markCiphertext()
      return
    }
    isEncrypted = Self.areEncrypted(files, in: storage)
    if !isEncrypted {
      for index in files.indices { files[index].isEncrypted = false }
    }
  }

  /// True if files are encrypted and no password was given yet.
  public var isLocked: Bool { isEncrypted && keys == nil }

  /// Unlocks an encrypted backup, and lists its files if the list is encrypted too.
  ///
  /// Takes 3 to 10 s for the number of key derivation rounds that the backup demands.
  ///
  /// - Parameter password: The password of the backup, which is not the device's passcode.
  /// - Throws: `AtRestError.Code.notEncrypted` if the backup is not encrypted;
  ///   ``AtRestError/Code/authenticationFailed`` if the password is wrong;
  ///   ``AtRestError/Code/damaged`` if the keybag, or the key or contents of `Manifest.db`, were
  ///   changed.
  public mutating func unlock(password: borrowing SecretBytes) throws {
    guard isEncrypted else {
      throw AtRestError(
        .notEncrypted, "A password was given, but the backup is not encrypted.",
        remedy: "Read it without a password.")
    }
    guard let bytes = manifest.keybag else {
      throw AtRestError.damagedBackup(
        "The encrypted backup has no Manifest.plist, or no keybag (BackupKeyBag) in it.")
    }
    let keys = try AppleBackupKeybag(bytes).unlock(password: password)
    for number in keys.damagedClasses.sorted() {
      let reason = "The key of class \(number) is damaged: files of this class cannot be opened."
      skipped.append(Skip(path: "Manifest.plist", reason: reason))
    }
    if case .encryptedDatabase(let ciphertext) = list {
      let rows = try Self.read(decryptedDatabase(ciphertext, keys))
      (files, skipped) = (rows.entries, skipped + rows.skipped)
    }
    self.keys = keys
  }

  private func decryptedDatabase(
    _ ciphertext: ByteSource, _ keys: AppleBackupKeys
  ) throws -> ByteSource {
    guard let key = manifest.manifestKey, key.count > 4 else {
      throw AtRestError.damagedBackup("Manifest.plist has no key for Manifest.db (ManifestKey).")
    }
    let keyClass = key.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let cipher = try keys.cipher(
      wrappedKey: Data(key.dropFirst(4)), class: keyClass, name: "Manifest.db")
    do {
      let database = try ByteSource.decrypting(ciphertext, with: cipher)
      guard try BackupDatabase.isDatabase(database) else {
        throw FormatError("The decrypted data is not a database.", offset: 0)
      }
      return database
    } catch {
      throw AtRestError.damagedBackup(
        "The password is right, but Manifest.db was modified or cut off.", cause: error)
    }
  }

  // MARK: Lists

  private static func read(
    _ database: ByteSource, wal: ByteSource? = nil
  ) throws -> (entries: [Entry], skipped: [Skip]) {
    do {
      return try BackupDatabase.entries(of: database, wal: wal)
    } catch {
      throw AtRestError.damagedBackup(
        "The list of files, Manifest.db, cannot be read.", cause: error)
    }
  }

  private static func findList(
    in storage: any BackupStorage, _ manifest: BackupManifest
  ) throws -> List {
    if let database = try open("Manifest.db", in: storage) {
      if (try? BackupDatabase.isDatabase(database)) == true { return .database(database) }
      guard manifest.manifestKey != nil || manifest.keybag != nil else {
        throw AtRestError.damagedBackup(
          "Manifest.db is not a database, and Manifest.plist has no key for it.")
      }
      return .encryptedDatabase(database)
    }
    if try open("Manifest.mbdb", in: storage) != nil { return .old }
    guard try open("Manifest.plist", in: storage) == nil else {
      throw AtRestError(
        .notFound, "The backup has no list of its files: Manifest.db is missing.",
        remedy: "Copy the whole backup folder. If the backup was interrupted, make it again.")
    }
    if storage.folders().contains(where: isDomain) { return .folders }
    throw AtRestError(
      .notFound,
      "This is not a backup: it has no Manifest.plist, no Manifest.db and no domain folders.",
      remedy: "Give the folder in MobileSync/Backup that is named after the device's identifier.")
  }

  private static func open(
    _ path: String, in storage: any BackupStorage
  ) throws(AtRestError) -> ByteSource? {
    do {
      return try storage.open(path)
    } catch {
      throw AtRestError(
        .system, "\(path) of the backup cannot be opened.",
        remedy: "Check that you may read the folder, and that it contains no links.", cause: error)
    }
  }

  private static func readOldList(in storage: any BackupStorage) throws -> OldBackupManifest {
    do {
      let source = try storage.open("Manifest.mbdb") ?? ByteSource([])
      guard source.count <= OldBackupManifest.sizeLimit else {
        throw FormatError("The file is larger than \(OldBackupManifest.sizeLimit) bytes.")
      }
      return try OldBackupManifest(source.read(0..<source.count))
    } catch {
      throw AtRestError.damagedBackup(
        "Manifest.mbdb of the backup cannot be read.", cause: error)
    }
  }

  private static func entriesOfFolders(
    in storage: any BackupStorage
  ) -> (entries: [Entry], skipped: [Skip]) {
    var entries: [Entry] = []
    var skipped: [Skip] = []
    for domain in storage.folders() where isDomain(domain) {
      let found = storage.files(in: domain, limit: fileLimit - entries.count)
      skipped += found.skipped
      entries += found.files.map { file in
        Entry(
          domain: domain, path: String(Substring(file.path.utf8.dropFirst(domain.utf8.count + 1))),
          kind: .file, size: file.size, modified: file.modified, protectionClass: nil,
          isEncrypted: false, target: nil, fileID: nil, wrappedKey: nil)
      }
    }
    return (entries, skipped)
  }

  /// Returns true if a folder is named like a domain: `HomeDomain`,
  /// `AppDomainGroup-group.com.example`.
  private static func isDomain(_ folder: String) -> Bool {
    let kind = folder.prefix { $0 != "-" }
    return kind.hasSuffix("Domain") || kind == "AppDomainGroup" || kind == "AppDomainPlugin"
  }

  /// Returns true if the files for which the list has a key are really encrypted. Tools that
  /// decrypt backups leave the keys in the list.
  ///
  /// Padding makes a ciphertext longer than its file, so the sizes of some files settle it.
  private static func areEncrypted(_ files: [Entry], in storage: any BackupStorage) -> Bool {
    var votes = 0
    var tried = 0
    for entry in files where entry.isEncrypted && entry.kind == .file && entry.size > 0 {
      tried += 1
      guard let size = (try? location(of: entry, in: storage))?.source.count else { continue }
      if size == entry.size { votes -= 1 }
      if size == entry.size &+ 16 - entry.size % 16 { votes += 1 }
      if abs(votes) == 20 || tried == 1000 { break }
    }
    return tried > 0 && votes >= 0
  }

  /// The file's name in hashed layouts: SHA-1 of domain, `-` and path, in hexadecimal digits.
  static func fileID(domain: String, path: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = Insecure.SHA1.hash(data: Data("\(domain)-\(path)".utf8)).flatMap {
      [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
