import AtRestCrypto
import AtRestFormats
import Foundation

extension Backup {
  /// The names of the lists of files of a backup.
  static let lists = ["Manifest.db", "Manifest.mbdb"]

  /// Returns true if a path is the folder of a backup, or an archive (zip, tar) that contains one.
  ///
  /// The files of an encrypted backup can be read only with its password. A search that took the
  /// archive for other files would find nothing in them.
  public static func isBackup(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return false }
    if isFolder.boolValue {
      return (lists + ["Manifest.plist"]).contains {
        FileManager.default.fileExists(atPath: path + "/" + $0)
      }
    }
    return (try? archive(at: path))?.hasList == true
  }

  /// Opens an archive. Returns nil if the file is not one.
  static func archive(at path: String) throws -> TreeBackupStorage? {
    do {
      let source = try ByteSource(file: path)
      return try tree(in: source).map { try TreeBackupStorage($0) }
    } catch {
      throw AtRestError(
        .system, "“\(path)” cannot be opened as an archive of a backup.",
        remedy: "Unpack the archive, and give the folder.", cause: error)
    }
  }

  private static func tree(in source: ByteSource) throws(FormatError) -> ArchiveTree? {
    switch try FileType.read(source) {
    case .zip: return try ArchiveTree(zip: source, limit: TreeBackupStorage.sizeLimit)
    case .tar: return try ArchiveTree(tar: source, limit: fileLimit)
    case .gzip:
      let contents = try GzipIndex(source, limit: WalkLimits.standard.decodedBytes).contents
      return try FileType.read(contents) == .tar
        ? try ArchiveTree(tar: contents, limit: fileLimit) : nil
    default: return nil
    }
  }

  // MARK: Ciphertext

  /// The number of files of a domain that are looked at.
  private static let sampleSize = 50
  /// The number of small files that are not a coincidence.
  private static let fewestFiles = 5

  /// Marks the files of domains that were copied without decrypting them. There is no list that
  /// says so, but ciphertext has no format and is a multiple of 16 bytes.
  mutating func markCiphertext() {
    let domains = Dictionary(grouping: files.indices) { files[$0].domain }
    for domain in domains.keys.sorted() {
      guard let indices = domains[domain], looksEncrypted(indices) else { continue }
      for index in indices { files[index].isEncrypted = true }
      let reason = "The files of this domain are still encrypted, and their keys are missing."
      skipped.append(Skip(path: domain, reason: reason))
    }
  }

  private func looksEncrypted(_ indices: [Int]) -> Bool {
    var (encrypted, others, isCertain) = (0, 0, false)
    for index in indices.filter({ files[$0].size > 0 }).prefix(Self.sampleSize) {
      guard let source = (try? Self.location(of: files[index], in: storage))?.source,
        let head = try? source.prefix(FileType.headLength)
      else { continue }
      let isKnown = FileType.read(head, isWhole: head.count == source.count) != .unknown
      let isRandom = head.count < 1024 || Entropy(head).isRandom
      if source.count.isMultiple(of: 16), !isKnown, isRandom {
        encrypted += 1
        isCertain = isCertain || head.count >= 1024 || encrypted >= Self.fewestFiles
      } else {
        others += 1
      }
    }
    return isCertain && others == 0
  }
}
