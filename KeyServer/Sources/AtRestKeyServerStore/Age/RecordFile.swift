import AtRestCrypto
import Foundation

/// A small file that is replaced as a whole, and that one process uses at a time.
struct RecordFile: ~Copyable, Sendable {
  let path: String
  private let lock: Int32

  /// Locks the file, which need not exist.
  ///
  /// - Throws: ``AtRestError/Code/busy``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/system``.
  init(_ path: String) throws {
    self.path = path
    lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Self.failure("cannot be locked", path) }
    Self.giveToOwnerOfFolder(lock, path)
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw Self.failure("cannot be locked", path) }
      throw AtRestError(
        .busy, "Another server uses the record \(path).",
        remedy: "Stop that server, or give each server a record of its own.")
    }
  }

  deinit {
    // A process that is being started has the descriptor until it executes its program, and with it
    // the lock.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Returns the contents, or nil if the file does not exist.
  func read() throws -> Data? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw Self.failure("cannot be read", path) }
      return nil
    }
    defer { close(descriptor) }
    // A record is shorter than this. What is longer is cut off, and does not open.
    var data = Data(count: 4096)
    let count = data.withUnsafeMutableBytes {
      Foundation.read(descriptor, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw Self.failure("cannot be read", path) }
    return data.prefix(count)
  }

  /// Replaces the contents. They are durable when the call returns. After a failure the file has the
  /// former or the new contents.
  func write(_ data: Data) throws {
    let new = "\(path).new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot be written", path) }
    Self.giveToOwnerOfFolder(descriptor, path)
    let count = data.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0, count < data.count { errno = ENOSPC }
    let isWritten = count == data.count && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    errno = code
    guard isWritten, rename(new, path) == 0 else {
      let error = Self.failure("cannot be written", path)
      unlink(new)
      throw error
    }
    let folder = open(Self.folder(path), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure("cannot be written", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw Self.failure("cannot be written", path) }
  }

  private static func folder(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// Lets the server's user read what an operator's command makes as root.
  private static func giveToOwnerOfFolder(_ descriptor: Int32, _ path: String) {
    var (file, owner) = (stat(), stat())
    // A second name could be one that the owner of the folder gave to another user's file.
    guard geteuid() == 0, fstat(descriptor, &file) == 0, file.st_nlink == 1,
      file.st_mode & S_IFMT == S_IFREG, stat(folder(path), &owner) == 0
    else { return }
    _ = fchown(descriptor, owner.st_uid, owner.st_gid)
  }

  private static func failure(_ what: String, _ path: String) -> AtRestError {
    AtRestError(
      errno == EACCES || errno == EROFS ? .notPermitted : .system,
      "The record \(path) \(what): \(String(cString: strerror(errno))).",
      remedy: "Name a file in a folder that exists and that the server can write to.")
  }
}
