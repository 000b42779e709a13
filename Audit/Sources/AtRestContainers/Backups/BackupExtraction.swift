import AtRestCrypto
import AtRestFormats
import Foundation

/// Writes files of a backup, decrypted, below a folder: `AppDomain-com.example/Documents/…`.
///
/// ```swift
/// let extraction = try BackupExtraction(of: backup, into: "out")
/// let result = extraction.run { $0.domain == "AppDomain-com.example" }
/// ```
///
/// Files are for the user alone (0600, folders 0700), and each is there whole or not at all. Nothing
/// is written outside the folder: paths that lead elsewhere are refused, links in the folder not
/// followed, links of the backup not made. Use one at a time for a folder.
public struct BackupExtraction: Sendable {
  private static let chunkSize = 1 << 20

  private let backup: Backup
  private let folder: OutputFolder

  /// What was written, and what was not.
  public struct Result: Sendable {
    /// Files, below the folder.
    public fileprivate(set) var written: [String] = []
    /// In bytes.
    public fileprivate(set) var size = 0
    public fileprivate(set) var skipped: [Skip] = []
  }

  /// Opens the folder, and makes it if its parent is there.
  ///
  /// - Throws: ``AtRestError/Code/locked`` where the backup is locked; ``AtRestError/Code/system``
  ///   where the folder cannot be made or opened.
  public init(of backup: Backup, into folder: String) throws {
    guard !backup.isLocked else {
      throw AtRestError(
        .locked, "The backup is encrypted, and locked.",
        remedy: "Unlock it with the password of the backup.")
    }
    self.backup = backup
    self.folder = try OutputFolder(folder)
  }

  /// Writes the files that are chosen; a file that fails is named in the result, and the rest written.
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
    // A domain itself is a folder without a path.
    let isDomain = entry.kind == .folder && entry.path.isEmpty
    guard let parts = isDomain ? Backup.parts(ofDomain: entry.domain) : Backup.parts(of: entry)
    else {
      throw AtRestError(
        .notPermitted, "The path leads out of the folder, or is none; nothing is written.",
        remedy: "Have the backup looked at: no device makes such paths.")
    }
    switch entry.kind {
    case .folder: try folder.makeFolders(parts)
    case .link:
      throw AtRestError(
        .notPermitted, "It is a link to “\(entry.target ?? "")”, and links are not made.",
        remedy: "Extract what it leads to.")
    case .file:
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
