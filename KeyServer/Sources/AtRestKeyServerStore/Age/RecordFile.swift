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
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      throw AtRestError(
        .busy, "Another server uses the record \(path).",
        remedy: "Stop that server, or give each server a record of its own.")
    }
  }

  deinit { close(lock) }

  private static func failure(_ what: String, _ path: String) -> AtRestError {
    AtRestError(
      errno == EACCES || errno == EROFS ? .notPermitted : .system,
      "The record \(path) \(what): \(String(cString: strerror(errno))).",
      remedy: "Name a file in a folder that exists and that the server can write to.")
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

  /// Replaces the contents. They are durable when the call returns, and a failure leaves the former
  /// ones.
  func write(_ data: Data) throws {
    let new = "\(path).new"
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot be written", path) }
    // An operator's command leaves the file to the server's user.
    var former = stat()
    if stat(path, &former) == 0, former.st_uid != geteuid() {
      _ = fchown(descriptor, former.st_uid, former.st_gid)
    }
    let isWritten = data.withUnsafeBytes {
      Foundation.write(descriptor, $0.baseAddress, $0.count) == $0.count && fsync(descriptor) == 0
    }
    let code = errno
    close(descriptor)
    guard isWritten, rename(new, path) == 0 else {
      if !isWritten { errno = code }
      let error = Self.failure("cannot be written", path)
      unlink(new)
      throw error
    }
    let folder = open(
      URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { throw Self.failure("cannot be written", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw Self.failure("cannot be written", path) }
  }
}
