import AtRestFormats

/// Files in memory, by their paths.
struct MemoryTree: FileTree {
  let files: [String: [UInt8]]

  func list(limit: Int) throws(FormatError) -> FileListing {
    let paths = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var listing = FileListing()
    for path in paths.prefix(limit) {
      listing.files.append(TreeFile(path: path, size: files[path]?.count ?? 0))
    }
    if let first = paths.dropFirst(limit).first {
      let reason = "The files from here on are skipped, because there are more than \(limit)."
      listing.problems.append(WalkProblem(Locator(first), reason))
    }
    return listing
  }

  func open(_ file: TreeFile) throws(FormatError) -> FileContents {
    guard let bytes = files[file.path] else { throw FormatError("The file does not exist.") }
    return .random(ByteSource(bytes))
  }
}
