import AtRestFormats

/// A backup in a tree of files, such as an archive.
///
/// The backup is the folder that contains the manifest, at any depth, or else the whole tree.
/// Compressed files of an archive are unpacked into memory, up to 512 MiB each.
package struct TreeBackupStorage: BackupStorage {
  package static let sizeLimit = 512 << 20

  private let tree: any FileTree
  private let files: [String: TreeFile]
  /// The number of files outside the folder of the backup.
  let others: Int

  /// Finds the backup in a tree.
  ///
  /// - Throws: ``FormatError`` if the files cannot be listed.
  package init(_ tree: any FileTree) throws(FormatError) {
    self.tree = tree
    let listing = try tree.list(limit: Backup.fileLimit)
    let lists = ["Manifest.plist", "Manifest.db", "Manifest.mbdb"]
    let folder =
      listing.files.compactMap { file -> String? in
        let name = lists.first { file.path == $0 || file.path.hasSuffix("/\($0)") }
        return name.map { String(file.path.dropLast($0.count)) }
      }.min { $0.utf8.count < $1.utf8.count } ?? ""
    // If two entries have the same name, the first is used.
    files = Dictionary(
      listing.files.filter { $0.path.hasPrefix(folder) }.map {
        (String($0.path.dropFirst(folder.count)), $0)
      }, uniquingKeysWith: { first, _ in first })
    others = listing.files.count { !$0.path.hasPrefix(folder) }
  }

  /// True if the tree has a list of files and the property list that belongs to it.
  var hasList: Bool {
    Backup.lists.contains { files[$0] != nil }
      && ["Manifest.plist", "Info.plist"].contains { files[$0] != nil }
  }

  package func open(_ path: String) throws(FormatError) -> ByteSource? {
    guard let file = files[path] else { return nil }
    switch try tree.open(file) {
    case .random(let source): return source
    case .stream(let read):
      var bytes: [UInt8] = []
      try read { chunk throws(FormatError) in
        guard bytes.count + chunk.count <= Self.sizeLimit else {
          throw FormatError("The file is larger than 512 MiB: unpack the archive first.")
        }
        bytes += chunk
      }
      return ByteSource(bytes)
    }
  }

  package func folders() -> [String] {
    Set(files.keys.compactMap { path in path.firstIndex(of: "/").map { String(path[..<$0]) } })
      .sorted()
  }

  package func files(
    in folder: String, limit: Int
  ) -> (files: [BackupStorageFile], skipped: [Skip]) {
    let found = files.filter { $0.key.hasPrefix("\(folder)/") }.map {
      BackupStorageFile(path: $0.key, size: $0.value.size, modified: $0.value.modified)
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    guard found.count > limit else { return (found, []) }
    let reason = "\(found.count - limit) files are skipped, because there are too many."
    return (Array(found.prefix(limit)), [Skip(path: folder, reason: reason)])
  }
}
