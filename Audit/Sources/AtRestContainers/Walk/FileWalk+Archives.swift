import AtRestFormats

/// Archives and compressed files.
extension FileWalk {
  func zip(_ source: ByteSource, _ place: Place, _ task: ListedFile?) throws(FormatError) {
    guard mayOpen(place) else { return }
    let tree = try ArchiveTree(zip: source, limit: limits.decodedBytesPerFile)
    if tree.isEncrypted, place.locator == reports[current].locator {
      reports[current].isEncryptedWithin = true
    }
    if let task, tree.takesPassphrases, task.group.depth <= 1 { reports[current].listed = task }
    archive(tree, place)
  }

  /// Opens a zip archive that was appended to another file.
  func archive(behind source: ByteSource, _ place: Place) throws(FormatError) {
    guard ZipArchive.isBehind(source) else { return }
    try zip(source, place.at(.encoding(FileType.zip.rawValue)), nil)
  }

  func tar(_ source: ByteSource, _ place: Place) throws(FormatError) {
    guard mayOpen(place) else { return }
    archive(try ArchiveTree(tar: source, limit: limits.files), place)
  }

  private func archive(_ tree: ArchiveTree, _ place: Place) {
    if let reason = Self.encryptedBackup(tree) { problem(place, reason) }
    walk(tree, place)
  }

  /// Opens the contents of a compressed file, which is usually one file.
  func packed(
    _ type: FileType, _ place: Place,
    _ read: @escaping @Sendable (([UInt8]) throws(FormatError) -> Void) throws(FormatError) -> Void
  ) {
    guard mayOpen(place) else { return }
    walk(.stream(read), place.at(.encoding(type.rawValue)).inside, nil, expected: 0)
  }

  /// The size in bytes above which a gzip file on disk is read through an index, so that its
  /// contents may have any size.
  static let indexedSize = 1 << 20

  func indexed(_ source: ByteSource, _ place: Place) throws(FormatError) {
    guard mayOpen(place) else { return }
    let left = state.decodedLeft
    guard left > 0 else {
      return problem(place, "The unpacked data of all files exceeds \(limits.decodedBytes) bytes.")
    }
    let index = try GzipIndex(source, limit: left)
    if let failure = index.failure { problem(place, failure) }
    guard state.takeDecoded(index.count) else {
      return problem(place, "The unpacked data of all files exceeds \(limits.decodedBytes) bytes.")
    }
    let inner = place.at(.encoding(FileType.gzip.rawValue)).inside
    walk(.random(index.contents), inner, nil, expected: index.count)
  }

  /// The reason why the files of an archive cannot be read, or nil if it is not an encrypted backup.
  private static func encryptedBackup(_ tree: ArchiveTree) -> String? {
    guard let storage = try? TreeBackupStorage(tree), storage.hasList,
      let backup = try? Backup(storage), backup.isEncrypted
    else { return nil }
    return "This is an encrypted backup, whose files can be read only with its password: open it "
      + "on its own."
  }

  /// Visits the entries of an archive. The entries of an archive on disk are distributed over the
  /// cores.
  func walk(_ tree: any FileTree, _ place: Place) {
    let listing: FileListing
    do throws(FormatError) {
      listing = try tree.list(limit: state.filesLeft)
    } catch {
      return problem(place, error)
    }
    state.countFiles(listing.files.count)
    for found in listing.problems {
      let entry = found.locator.path
      problem(entry.isEmpty ? place : place.at(.entry(entry)), found.reason)
    }
    let group = FileGroup(
      tree: tree, base: place.locator, files: listing.files, depth: place.depth + 1)
    let tasks = listing.files.map { ListedFile(file: $0, group: group) }
    // An archive in memory is visited on this thread, so that it does not stay in memory while
    // other archives are loaded.
    if heldLeft == limits.heldBytes { return queue.add(tasks.map { .file($0) }) }
    for task in tasks where isInTime(place) { walk(task) }
  }
}
