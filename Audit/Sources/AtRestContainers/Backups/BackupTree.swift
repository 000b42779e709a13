import AtRestFormats

/// The files of a backup as a tree for a walk, `AppDomain-com.example/Documents/…`. They are
/// decrypted as they are read.
///
/// ```swift
/// let walk = try ContainerWalk(ContainerSource(backup))
/// ```
package struct BackupTree: FileTree {
  private let backup: Backup
  private let indices: [Int]

  /// Creates a tree of the chosen files.
  ///
  /// - Parameters:
  ///   - backup: The backup. If it is encrypted and locked, its files cannot be opened.
  ///   - isChosen: Returns true for the files that belong to the tree.
  package init(_ backup: Backup, where isChosen: (Backup.Entry) -> Bool = { _ in true }) {
    self.backup = backup
    indices = backup.files.indices.filter {
      backup.files[$0].kind == .file && isChosen(backup.files[$0])
    }
  }

  package func list(limit: Int) throws(FormatError) -> FileListing {
    var listing = FileListing()
    listing.files = indices.prefix(limit).map { index in
      let entry = backup.files[index]
      return TreeFile(
        path: "\(entry.domain)/\(entry.path)", size: entry.size, modified: entry.modified,
        protectionClass: entry.protectionClass?.description, identifier: index)
    }
    listing.problems = backup.skipped.map { WalkProblem(Locator($0.path), $0.reason) }
    if indices.count > limit {
      let reason = "\(indices.count - limit) files are skipped, because there are too many."
      listing.problems.append(WalkProblem(Locator(""), reason))
    }
    return listing
  }

  package func open(_ file: TreeFile) throws(FormatError) -> FileContents {
    guard backup.files.indices.contains(file.identifier) else {
      throw FormatError("The backup does not contain this file.")
    }
    do {
      return .random(try backup.open(backup.files[file.identifier]))
    } catch {
      throw FormatError("\(error)")
    }
  }
}
