import AtRestCrypto
import Foundation

/// A folder of small files, each replaced by write, fsync, rename and fsync of the folder.
package final class FolderStorage: StoreStorage {
  package let folder: URL
  package var location: String { folder.path }
  private let turn: FolderLock
  private static let sizeLimit = 1 << 20

  /// Names a folder, which is made (0700) at the first write.
  ///
  /// - Parameter patience: How long ``exclusively(_:)`` waits for others.
  package init(_ folder: URL, patience: Duration = FolderLock.usualPatience) {
    self.folder = folder
    turn = FolderLock(folder.appendingPathComponent("lock").path, patience: patience)
  }

  package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    try makeFolder()
    return try turn.exclusively(body)
  }

  // MARK: Reading

  package func read(_ name: String) throws -> Data? { try read(name) { _ in } }

  /// Reads a file whose status passes a check.
  func read(_ name: String, checking check: (stat) throws -> Void) throws -> Data? {
    let path = path(name)
    for _ in 0..<100 {
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      if file < 0 && (errno == ENOENT || errno == ENOTDIR) { return nil }
      guard file >= 0 else { throw SystemCall.error("open", path) }
      defer { close(file) }
      let status = try Self.status(of: file, path: path)
      try check(status)
      let data = try Self.contents(of: file, size: Int(status.st_size), path: path)
      // A file that was replaced meanwhile may have been overwritten while it was read.
      if Self.isSame(status, as: Self.status(at: path)) { return data }
    }
    throw AtRestError(
      .busy, "\(path) is being replaced all the time.",
      remedy: "Find out which program does it, and try again.")
  }

  private static func contents(of file: Int32, size: Int, path: String) throws -> Data {
    let tooLarge = AtRestError.damaged("\(path) is larger than any file of its kind.")
    guard size <= sizeLimit else { throw tooLarge }
    // One byte more, which shows the end, and no second buffer that would keep a secret.
    var data = Data(count: size + 1)
    var offset = 0
    while offset < data.count {
      let room = data.count - offset
      let count = data.withUnsafeMutableBytes {
        Foundation.read(file, $0.baseAddress! + offset, room)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemCall.error("read", path) }
      if count == 0 { break }
      offset += count
    }
    guard offset <= size else { throw tooLarge }
    data.count = offset
    return data
  }

  private static func status(of file: Int32, path: String) throws -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemCall.error("inspect", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw AtRestError.damaged(
        "\(path) is not a regular file.", remedy: "Put the file back that belongs there.")
    }
    return status
  }

  private static func status(at path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  private static func isSame(_ one: stat, as other: stat?) -> Bool {
    one.st_dev == other?.st_dev && one.st_ino == other?.st_ino
  }

  package func contains(_ name: String) -> Bool { Self.status(at: path(name)) != nil }

  // MARK: Writing

  package func replace(_ name: String, with data: Data) throws {
    try makeFolder()
    let path = path(name)
    let temporary = "\(path).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try write(data, to: temporary)
    try place(temporary, as: path)
    try SystemCall.flushFolder(folder.path)
  }

  private func write(_ data: Data, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemCall.error("create", path) }
    do {
      defer { close(file) }
      try SystemCall.write(data, to: file, path: path)
      guard fsync(file) == 0 else { throw SystemCall.error("flush", path) }
    } catch {
      unlink(path)
      throw error
    }
  }

  private func place(_ temporary: String, as path: String) throws {
    guard Foundation.rename(temporary, path) == 0 else {
      let error = SystemCall.error("replace", path)
      unlink(temporary)
      throw error
    }
  }

  package func remove(_ name: String) throws {
    guard unlink(path(name)) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw SystemCall.error("remove", path(name))
    }
    try SystemCall.flushFolder(folder.path)
  }

  package func rename(_ name: String, to other: String) throws {
    guard !contains(other), Foundation.rename(path(name), path(other)) == 0 else {
      throw SystemCall.error("rename", path(name))
    }
    try SystemCall.flushFolder(folder.path)
  }

  // MARK: Erasing

  // `<name>.new` is the replacement while it is written, and `<name>.old` a second name of the former
  // file until that is overwritten. Whoever finds either finishes the work.

  package func replaceErasing(_ name: String, with data: Data) throws {
    try makeFolder()
    try finishErasing(name)
    let path = path(name)
    let new = path + ".new"
    let old = path + ".old"
    try write(data, to: new)
    if link(path, old) != 0 && errno != ENOENT {
      let error = SystemCall.error("link", path)
      unlink(new)
      throw error
    }
    do {
      // Before the former name goes: a crash must not lose the last name of its bytes.
      try SystemCall.flushFolder(folder.path)
    } catch {
      unlink(new)
      unlink(old)
      throw error
    }
    guard Foundation.rename(new, path) == 0 else {
      let error = SystemCall.error("replace", path)
      unlink(new)
      unlink(old)
      throw error
    }
    try SystemCall.flushFolder(folder.path)
    // The replacement is in place and durable: nothing from here on makes it fail.
    try? erase(old)
  }

  package func needsErasing(_ name: String) -> Bool {
    contains("\(name).old") || contains("\(name).new")
  }

  package func finishErasing(_ name: String) throws {
    let old = path(name) + ".old"
    if let status = Self.status(at: old) {
      // The replacement may be in place without being durable: then its former bytes still count.
      try SystemCall.flushFolder(folder.path)
      if Self.isSame(status, as: Self.status(at: path(name))) {
        // It ended before the replacement: these are the present bytes.
        guard unlink(old) == 0 else { throw SystemCall.error("remove", old) }
      } else {
        try erase(old)
      }
    }
    try erase(path(name) + ".new")
  }

  package func destroy(_ name: String) throws {
    let path = path(name)
    // Under another name first, so that no reader takes random bytes for a damaged file.
    if contains(name) {
      try finishErasing(name)
      if Foundation.rename(path, path + ".old") != 0 { try erase(path) }
    }
    try finishErasing(name)
    guard contains(folder: folder.path) else { return }
    try SystemCall.flushFolder(folder.path)
  }

  private func contains(folder: String) -> Bool {
    Self.status(at: folder).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Overwrites a file in place, flushes it, and removes it.
  ///
  /// A file with a second name is removed only: its bytes may be somebody else's.
  private func erase(_ path: String) throws {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 && (errno == ENOENT || errno == ENOTDIR) { return }
    if file >= 0 {
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemCall.error("inspect", path) }
      if status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1 {
        let count = min(Int(status.st_size), Self.sizeLimit)
        try SystemCall.write(RandomBytes.data(count: count), to: file, path: path)
        guard fsync(file) == 0 else { throw SystemCall.error("flush", path) }
      }
    } else if Self.status(at: path).map({ $0.st_mode & S_IFMT == S_IFREG }) ?? false {
      throw SystemCall.error("overwrite", path)
    }
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemCall.error("remove", path) }
  }

  private func makeFolder() throws {
    if mkdir(folder.path, 0o700) == 0 {
      try SystemCall.flushFolder(folder.deletingLastPathComponent().path)
      return
    }
    switch errno {
    case EEXIST: return
    case ENOENT:
      do {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
      } catch {
        throw AtRestError(
          .system, "The folder \(folder.path) cannot be made.",
          remedy: "Choose a folder that you may write to.", cause: error)
      }
    default: throw SystemCall.error("make the folder", folder.path)
    }
  }
}
