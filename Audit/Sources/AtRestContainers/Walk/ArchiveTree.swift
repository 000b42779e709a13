import AtRestFormats

/// The files in a zip or tar archive.
///
/// Nothing is written to disk, so a name that leads out of the archive does no harm. It is
/// reported.
struct ArchiveTree: FileTree {
  private let files: [TreeFile]
  private let skipped: [Skip]
  /// True if the contents of the archive are mostly encrypted.
  let isEncrypted: Bool
  /// True if passphrases can be tried on some of the entries.
  let takesPassphrases: Bool
  private let reader: @Sendable (Int) throws(FormatError) -> FileContents

  /// Reads the directory of a zip archive.
  ///
  /// - Parameter limit: The maximum size of an entry in bytes, whatever it claims.
  init(zip source: ByteSource, limit: Int) throws(FormatError) {
    let archive = try ZipArchive(source)
    files = archive.entries.enumerated().filter { !$0.element.name.hasSuffix("/") }.map {
      TreeFile(path: $0.element.name, size: $0.element.size, identifier: $0.offset)
    }
    skipped = archive.skipped
    isEncrypted = archive.isEncrypted
    takesPassphrases = !archive.lockedEntries.isEmpty
    reader = { index in
      let entry = archive.entries[index]
      return .stream { each throws(FormatError) in
        try archive.read(entry, limit: limit, each: each)
      }
    }
  }

  /// Reads the headers of a tar archive.
  ///
  /// - Parameter limit: The maximum number of entries. Further entries are skipped.
  init(tar source: ByteSource, limit: Int) throws(FormatError) {
    var files: [TreeFile] = []
    var offsets: [Int] = []
    var links: [Skip] = []
    var excluded: Set<String> = []
    var left = 0
    let skipped = try TarArchive.read(source, path: "") { entry in
      switch entry.kind {
      case .folder:
        if BackupExclusion.marks(entry.extendedAttributes) {
          excluded.insert(entry.name + (entry.name.hasSuffix("/") ? "" : "/"))
        }
      case .file:
        guard files.count < limit else {
          left += 1
          return
        }
        files.append(
          TreeFile(
            path: entry.name, size: entry.size, modified: entry.modified,
            isExcludedFromBackups: BackupExclusion.marks(entry.extendedAttributes),
            identifier: offsets.count))
        offsets.append(entry.offset)
      case .symbolicLink, .hardLink, .other:
        guard links.count < limit else {
          left += 1
          return
        }
        let reason = "Entries of the kind “\(entry.kind.rawValue)” are not opened."
        links.append(Skip(path: entry.name, reason: reason))
      }
    }
    if left > 0 { links.append(Skip(path: "", reason: "\(left) further entries are skipped.")) }
    // What is in an excluded folder is excluded too.
    for index in files.indices where !excluded.isEmpty && !files[index].isExcludedFromBackups {
      let folders = files[index].path.indices.filter { files[index].path[$0] == "/" }
      files[index].isExcludedFromBackups = folders.contains {
        excluded.contains(String(files[index].path[...$0]))
      }
    }
    self.files = files
    (isEncrypted, takesPassphrases) = (false, false)
    self.skipped = skipped + links
    let sizes = files.map(\.size)
    reader = { [offsets] index throws(FormatError) in
      .random(try ByteSource(source, offsets[index]..<offsets[index] + sizes[index]))
    }
  }

  func list(limit: Int) throws(FormatError) -> FileListing {
    var listing = FileListing(files: Array(files.prefix(limit)))
    for skip in skipped {
      let name = Locator.shortened(skip.path)
      listing.problems.append(WalkProblem(Locator(name), skip.reason))
    }
    for file in listing.files where Self.leadsOut(file.path) {
      let name = Locator.shortened(file.path)
      listing.problems.append(
        WalkProblem(Locator(name), "The entry's name leads out of the archive."))
    }
    if files.count > limit {
      let reason = "\(files.count - limit) entries are skipped, because there are too many files."
      listing.problems.append(WalkProblem(Locator(""), reason))
    }
    return listing
  }

  func open(_ file: TreeFile) throws(FormatError) -> FileContents { try reader(file.identifier) }

  /// Returns true if a name leads out of the archive. A leading `/`, as in archives of whole disks,
  /// is harmless.
  private static func leadsOut(_ name: String) -> Bool {
    name.split { $0 == "/" || $0 == "\\" }.contains { $0 == ".." }
  }
}
