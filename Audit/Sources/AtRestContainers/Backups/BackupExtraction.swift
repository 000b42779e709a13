import AtRestCrypto
import AtRestFormats
import Foundation

/// Writes decrypted files of a backup to a folder: `AppDomain-com.example/Documents/…`.
///
/// ```swift
/// let extraction = try BackupExtraction(of: backup, into: "out")
/// let result = extraction.run { $0.domain == "AppDomain-com.example" }
/// ```
///
/// Only the user can read the files (mode 0600, folders 0700), and each is written completely or
/// not at all. Nothing is written outside the folder: paths that lead out of it are refused, links
/// in it are not followed, and links of the backup are not created. Run only one extraction at a
/// time for a folder.
public struct BackupExtraction: Sendable {
  private static let chunkSize = 1 << 20

  private let backup: Backup
  private let folder: OutputFolder

  /// The result of an extraction.
  public struct Result: Sendable {
    /// The paths of the files that were written, relative to the folder.
    public fileprivate(set) var written: [String] = []
    /// The total size of the written files in bytes.
    public fileprivate(set) var size = 0
    public fileprivate(set) var skipped: [Skip] = []
  }

  /// Opens the folder, and creates it if its parent exists.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the backup is locked; ``AtRestError/Code/system`` if
  ///   the folder cannot be created or opened.
  public init(of backup: Backup, into folder: String) throws {
    guard !backup.isLocked else {
      throw AtRestError(
        .locked, "The backup is encrypted and locked.",
        remedy: "Unlock it with the password of the backup.")
    }
    self.backup = backup
    self.folder = try OutputFolder(folder)
  }

  /// Writes the chosen files. A file that fails is named in the result, and the others are still
  /// written.
  public func run(_ isChosen: (Backup.Entry) -> Bool) -> Result {
    var result = Result()
    for entry in backup.files where isChosen(entry) {
      let name = "\(entry.domain)/\(entry.path)"
      do {
        try write(entry, &result)
      } catch {
        result.skipped.append(Skip(path: name, reason: "\(error)"))
      }
    }
    return result
  }

  private func write(_ entry: Backup.Entry, _ result: inout Result) throws {
    // The entry of a domain is a folder without a path.
    let isDomain = entry.kind == .folder && entry.path.isEmpty
    guard let parts = isDomain ? Backup.parts(ofDomain: entry.domain) : Backup.parts(of: entry)
    else {
      throw AtRestError(
        .notPermitted, "The path is empty or leads out of the folder. Nothing was written.",
        remedy: "Check where the backup comes from: devices do not write such paths.")
    }
    switch entry.kind {
    case .folder: try folder.makeFolders(parts)
    case .link:
      throw AtRestError(
        .notPermitted, "The entry is a link to “\(entry.target ?? "")”, and links are not created.",
        remedy: "Extract the target of the link.")
    case .file:
      guard !backup.isCiphertext(entry) else {
        throw AtRestError(
          .locked,
          "The file is still encrypted, and the folder has no Manifest.plist with its key.",
          remedy: "Extract from the folder of the whole backup, and give its password.")
      }
      let source = try backup.open(entry)
      var offset = 0
      try folder.makeFile(parts, modified: entry.modified) { () throws(AtRestError) in
        let end = min(source.count, offset + Self.chunkSize)
        defer { offset = end }
        do {
          return try source.read(offset..<end)
        } catch {
          throw .damagedBackup("The file cannot be read to its end.", cause: error)
        }
      }
      result.written.append(parts.joined(separator: "/"))
      result.size += source.count
    }
  }
}
