import AtRestCrypto
import Foundation

/// A folder of small files. Each replacement is a write, an fsync, a rename and an fsync of the
/// folder.
///
/// Each call opens the folder once and works through the folder's descriptor. ``PrivateFile``
/// describes how files are opened.
package final class FolderStorage: StoreStorage {
  package let folder: URL
  package var location: String { folder.path }
  private let followsLink: Bool
  private let acceptsAnyFile: Bool
  private let turn: FolderLock
  private static let sizeLimit = 1 << 20

  /// Creates storage for a folder. The folder is created (0700) at the first write.
  ///
  /// - Parameters:
  ///   - followsLink: True to follow a link at the path of the folder. If false, such a link is
  ///     reported as damage.
  ///   - acceptsAnyFile: True to read files regardless of their owners, names and permissions.
  ///   - patience: The time that ``exclusively(_:)`` waits for the lock.
  package init(
    _ folder: URL, followsLink: Bool = true, acceptsAnyFile: Bool = false,
    patience: Duration = FolderLock.usualPatience
  ) {
    self.folder = folder
    self.acceptsAnyFile = acceptsAnyFile
    self.followsLink = followsLink
    turn = Self.lock("lock", folder, followsLink, patience)
  }

  package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    _ = try made()
    return try turn.exclusively(body)
  }

  package func exclusivelyInPlace<Result: ~Copyable>(
    _ body: () throws -> Result
  ) throws -> Result {
    _ = try present()
    return try turn.exclusively(body)
  }

  /// Returns a lock that has its own file in the folder.
  func lock(_ name: String, patience: Duration) -> FolderLock {
    Self.lock(name, folder, followsLink, patience)
  }

  private static func lock(
    _ name: String, _ folder: URL, _ followsLink: Bool, _ patience: Duration
  ) -> FolderLock {
    FolderLock(name, path: folder.appendingPathComponent(name).path, patience: patience) {
      let opened = try OpenFolder.ifPresent(folder.path, followingLinks: followsLink)
      guard let opened else {
        errno = ENOENT
        throw SystemCall.error("open", folder.appendingPathComponent(name).path)
      }
      return opened
    }
  }

  // MARK: The folder

  /// Opens the folder. The result is nil if the folder does not exist.
  package func opened() throws -> OpenFolder? {
    try OpenFolder.ifPresent(folder.path, followingLinks: followsLink)
  }

  /// Opens the folder of a store that exists.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the folder does not exist.
  package func present() throws -> OpenFolder {
    if let folder = try opened() { return folder }
    throw AtRestError(
      .storeMissing, "The folder \(folder.path) is gone.",
      remedy: "Put it back, or mount its disk. If the store was removed, create a new one (atrest "
        + "init) and restore a backup.")
  }

  /// Opens the folder, and creates it if it does not exist.
  package func made() throws -> OpenFolder {
    if let folder = try opened() { return folder }
    if SystemPath.with(folder.path, { mkdir($0, 0o700) }) == 0 {
      try SystemCall.flushFolder(folder.deletingLastPathComponent().path)
    } else if errno == ENOENT {
      try SystemPath.makeFolders(folder.path)
    } else if errno != EEXIST {
      throw SystemCall.error("create the folder", folder.path)
    }
    guard let folder = try opened() else {
      errno = ENOTDIR
      throw SystemCall.error("create the folder", self.folder.path)
    }
    return folder
  }

  /// Throws an error if other users can write to the folder, which is unsafe for a new store or
  /// key. A missing folder is accepted.
  func checkNew() throws {
    if let folder = try opened() { try PrivateFile.checkNew(folder) }
  }

  // MARK: Reading

  package func read(_ name: String) throws -> Data? {
    try read(name, checking: { _ in }) { file, size, path in
      // The memory is one byte longer than the file, to detect a file that has grown.
      var data = Data(count: size + 1)
      data.count = try data.withUnsafeMutableBytes { try Self.fill($0, from: file, path: path) }
      return data
    }
  }

  /// Reads a secret, only into locked memory, from a file whose status passes a check.
  func readSecret(_ name: String, checking check: (stat) throws -> Void) throws -> SecretBox? {
    try read(name, checking: check) { file, size, path in
      var count = 0
      let room = try SecretBytes(count: size + 1) {
        count = try Self.fill($0, from: file, path: path)
      }
      return room.withUnsafeBytes {
        SecretBox(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])))
      }
    }
  }

  /// Reads a file whose status passes a check, with a closure that receives the file's descriptor,
  /// size and path. The result is nil if the file does not exist.
  private func read<Contents>(
    _ name: String, checking check: (stat) throws -> Void,
    _ contents: (Int32, Int, String) throws -> Contents
  ) throws -> Contents? {
    guard let folder = try opened() else { return nil }
    let path = path(name)
    var refusal: AtRestError?
    for _ in 0..<100 {
      let opened = try PrivateFile.open(
        name, in: folder, flags: O_RDONLY, mayHaveSecondName: true, isAny: acceptsAnyFile)
      guard let (file, status) = opened else { return nil }
      defer { close(file) }
      try check(status)
      guard acceptsAnyFile || Self.hasOwnNamesAlone(status, name, folder) else {
        // The second name may be one that another replacement has just removed.
        refusal = PrivateFile.secondName(path)
        continue
      }
      refusal = nil
      guard status.st_size <= Self.sizeLimit else { throw Self.tooLarge(path) }
      let data = try contents(file, Int(status.st_size), path)
      // A file that was replaced meanwhile may have been overwritten while it was read.
      if Self.isSame(status, as: folder.status(of: name)) { return data }
    }
    throw refusal
      ?? AtRestError(
        .busy, "\(path) is being replaced continually.",
        remedy: "Find out which program replaces it, and try again.")
  }

  /// Returns true if a file has no second name except the one that ``replaceErasing(_:with:)``
  /// creates.
  private static func hasOwnNamesAlone(
    _ status: stat, _ name: String, _ folder: OpenFolder
  ) -> Bool {
    status.st_nlink <= 1
      || status.st_nlink == 2 && isSame(status, as: folder.status(of: name + ".old"))
  }

  private static func tooLarge(_ path: String) -> AtRestError {
    .damaged("\(path) is larger than any file of its kind.")
  }

  /// Reads a whole file into memory, which must be longer than the file. Returns the number of
  /// bytes.
  private static func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from file: Int32, path: String
  ) throws -> Int {
    var offset = 0
    while offset < bytes.count {
      let count = Foundation.read(file, bytes.baseAddress! + offset, bytes.count - offset)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemCall.error("read", path) }
      if count == 0 { return offset }
      offset += count
    }
    throw tooLarge(path)
  }

  private static func isSame(_ one: stat, as other: stat?) -> Bool {
    one.st_dev == other?.st_dev && one.st_ino == other?.st_ino
  }

  package func contains(_ name: String) throws -> Bool {
    guard let folder = try opened() else { return false }
    if folder.status(of: name) != nil { return true }
    guard errno == ENOENT else { throw SystemCall.error("inspect", path(name)) }
    return false
  }

  // MARK: Writing

  package func replace(_ name: String, with data: Data) throws {
    let folder = try made()
    let temporary = "\(name).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try write(data, to: temporary, in: folder, for: name)
    guard folder.rename(temporary, to: name) else {
      let error = SystemCall.error("replace", path(name))
      _ = folder.remove(temporary)
      throw error
    }
    try folder.flush()
  }

  /// - Parameter shown: The name that the file gets later, for messages.
  private func write(
    _ data: Data, to name: String, in folder: OpenFolder, for shown: String
  ) throws {
    let path = path(shown)
    let file = folder.open(name, flags: O_WRONLY | O_CREAT | O_EXCL)
    guard file >= 0 else { throw SystemCall.error("create", path) }
    do {
      defer { close(file) }
      try SystemCall.write(data, to: file, path: path)
      guard fsync(file) == 0 else { throw SystemCall.error("flush", path) }
    } catch {
      _ = folder.remove(name)
      throw error
    }
  }

  package func remove(_ name: String) throws {
    guard let folder = try opened() else { return }
    guard folder.remove(name) else {
      if errno == ENOENT { return }
      throw SystemCall.error("remove", path(name))
    }
    try folder.flush()
  }

  package func rename(_ name: String, to other: String) throws {
    let folder = try made()
    guard folder.status(of: other) == nil else {
      errno = EEXIST
      throw SystemCall.error("rename", path(name))
    }
    guard folder.rename(name, to: other) else { throw SystemCall.error("rename", path(name)) }
    try folder.flush()
  }

  // MARK: Erasing

  // `<name>.new` is the replacement while it is written. `<name>.old` is a second name of the
  // former file until the former file is overwritten. Any process that finds one of these names
  // finishes the work.

  package func replaceErasing(_ name: String, with data: Data) throws {
    let folder = try made()
    try finishErasing(name, in: folder)
    let new = name + ".new"
    let old = name + ".old"
    func failure(_ verb: String) -> AtRestError { SystemCall.error(verb, path(name)) }
    try write(data, to: new, in: folder, for: name)
    if !folder.link(name, as: old) && errno != ENOENT {
      let error = failure("link")
      _ = folder.remove(new)
      throw error
    }
    do {
      // The second name must be durable before the first is replaced, or else a crash could leave
      // the former bytes without a name.
      try folder.flush()
    } catch {
      _ = folder.remove(new)
      _ = folder.remove(old)
      throw error
    }
    guard folder.rename(new, to: name) else {
      let error = failure("replace")
      _ = folder.remove(new)
      _ = folder.remove(old)
      throw error
    }
    try folder.flush()
    // The replacement is complete and durable. A failure from here on does not make the call fail.
    try? erase(old, in: folder)
  }

  package func needsErasing(_ name: String) throws -> Bool {
    try contains("\(name).old") || contains("\(name).new")
  }

  package func finishErasing(_ name: String) throws {
    if let folder = try opened() { try finishErasing(name, in: folder) }
  }

  private func finishErasing(_ name: String, in folder: OpenFolder) throws {
    let old = name + ".old"
    if let status = folder.status(of: old) {
      // The replacement may not be durable yet. Until it is, the former bytes may still be needed.
      try folder.flush()
      if Self.isSame(status, as: folder.status(of: name)) {
        // The process ended before the replacement: `old` is a name of the current file.
        guard folder.remove(old) else { throw SystemCall.error("remove", path(old)) }
      } else {
        try erase(old, in: folder)
      }
    }
    try erase(name + ".new", in: folder)
  }

  package func destroy(_ name: String) throws {
    guard let folder = try opened() else { return }
    // The file is renamed first, so that no reader mistakes the overwritten bytes for a damaged
    // file.
    if folder.status(of: name) != nil {
      try finishErasing(name, in: folder)
      if !folder.rename(name, to: name + ".old") { try erase(name, in: folder) }
    }
    try finishErasing(name, in: folder)
    try folder.flush()
  }

  /// Overwrites, flushes and removes one file, whatever its name is.
  func eraseAlone(_ name: String) throws {
    guard let folder = try opened() else { return }
    try erase(name, in: folder)
    try folder.flush()
  }

  /// Throws an error if a file cannot be overwritten, or the folder cannot be changed.
  func checkIsErasable(_ name: String) throws {
    guard let folder = try opened() else { return }
    let file = folder.open(name, flags: O_WRONLY)
    guard file >= 0 else { throw SystemCall.error("overwrite", path(name)) }
    close(file)
    // An immutable file can have no second name. This one is known to readers and to ``finishErasing(_:)``, so it
    // does no harm if the process ends here.
    let probe = "\(name).old"
    guard folder.link(name, as: probe) else { throw SystemCall.error("link", path(name)) }
    guard folder.remove(probe) else { throw SystemCall.error("remove", path(probe)) }
  }

  /// Overwrites a file in place, flushes it, and removes it.
  ///
  /// A file with a second name is removed without being overwritten, because its bytes may belong
  /// to another program.
  private func erase(_ name: String, in folder: OpenFolder) throws {
    let path = path(name)
    let file = folder.open(name, flags: O_WRONLY)
    if file < 0 && errno == ENOENT { return }
    if file >= 0 {
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemCall.error("inspect", path) }
      if status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 {
        let count = min(Int(status.st_size), Self.sizeLimit)
        try SystemCall.write(RandomBytes.data(count: count), to: file, path: path)
        guard fsync(file) == 0 else { throw SystemCall.error("flush", path) }
      }
    } else if folder.status(of: name).map({ $0.st_mode & S_IFMT == S_IFREG }) ?? false {
      throw SystemCall.error("overwrite", path)
    }
    guard folder.remove(name) || errno == ENOENT else { throw SystemCall.error("remove", path) }
  }
}
