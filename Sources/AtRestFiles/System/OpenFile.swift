import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// An open file descriptor, closed with its owner.
final class OpenFile: Sendable {
  let descriptor: Int32
  /// For messages.
  let path: String
  /// Where the file is, for one that has a journal beside it.
  let entry: FolderEntry?
  private let isOwned: Bool

  init(owning descriptor: Int32, path: String, entry: FolderEntry? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.entry = entry
    isOwned = true
  }

  init(borrowing descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
    entry = nil
    isOwned = false
  }

  deinit { if isOwned { close(descriptor) } }

  /// Opens a file that is there.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` where a folder is to be written to;
  ///   ``AtRestError/Code/system``.
  convenience init(_ path: String, flags: Int32 = O_RDONLY) throws {
    // A pipe without a writer would hold the caller up; what is no regular file is refused after.
    let descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw PathError.current("open", path) }
    self.init(owning: descriptor, path: path)
  }

  /// Opens a file that is there, of bytes that can be read anywhere.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for folders and special files; as
  ///   ``init(_:flags:)``.
  static func regular(_ path: String, flags: Int32 = O_RDONLY) throws -> OpenFile {
    let file = try OpenFile(path, flags: flags)
    guard try file.status().isRegular else {
      throw AtRestError.invalid(
        "\(path) is a folder or a special file.",
        remedy: "Name a regular file; pipe the others in.")
    }
    return file
  }

  /// A file without a name, for ciphertext that has to lie somewhere.
  static func temporary() throws -> OpenFile {
    let folder = FileManager.default.temporaryDirectory.path
    let unnamed = atrest_open_unnamed(folder, 0o600)
    if unnamed >= 0 { return OpenFile(owning: unnamed, path: "a temporary file in \(folder)") }
    let path = folder + "/atrest-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let named = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard named >= 0 else { throw SystemCall.error("create", path) }
    unlink(path)
    return OpenFile(owning: named, path: path)
  }

  // MARK: What it is

  typealias Status = FileStatus

  func status() throws -> Status {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemCall.error("look at", path) }
    return Status(status)
  }

  // MARK: Reading and writing

  /// Reads at an offset until the memory is full or the file ends, and gives the count.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    var done = 0
    while done < bytes.count {
      let count = pread(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemCall.error("read", path) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func read(_ count: Int, at offset: UInt64) throws -> Data {
    var data = Data(count: count)
    let got = try data.withUnsafeMutableBytes { try read($0, at: offset) }
    return got == count ? data : data.prefix(got)
  }

  /// Reads what comes next, of a pipe as well.
  func readNext(_ bytes: UnsafeMutableRawBufferPointer) throws -> Int {
    var done = 0
    while done < bytes.count {
      let count = Foundation.read(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        try wait(for: Int16(POLLIN))
        continue
      }
      guard count >= 0 else { throw SystemCall.error("read", path) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SystemCall.error("write", path) }
      done += count
    }
  }

  func write(_ data: Data, at offset: UInt64) throws {
    try data.withUnsafeBytes { try write($0, at: offset) }
  }

  /// Writes what comes next, to a pipe as well.
  func writeNext(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let count = Foundation.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        try wait(for: Int16(POLLOUT))
        continue
      }
      guard count > 0 else { throw SystemCall.error("write", path) }
      done += count
    }
  }

  private func wait(for events: Int16) throws {
    var poll = pollfd(fd: descriptor, events: events, revents: 0)
    while Foundation.poll(&poll, 1, -1) < 0 {
      guard errno == EINTR else { throw SystemCall.error("wait for", path) }
    }
  }

  /// Has the system begin to write to the disk, so that a later flush has less to wait for.
  func startFlush(at offset: UInt64, count: Int) {
    atrest_start_flush(descriptor, offset, UInt64(count))
  }

  func flush() throws {
    guard fsync(descriptor) == 0 else { throw SystemCall.error("flush", path) }
  }

  func truncate(to size: UInt64) throws {
    while ftruncate(descriptor, off_t(size)) != 0 {
      guard errno == EINTR else { throw SystemCall.error("set the size of", path) }
    }
  }

  /// Makes sure that the disk has room for bytes that will be written.
  func reserve(from offset: UInt64, to end: UInt64) throws {
    #if os(Linux)
      let number = posix_fallocate(descriptor, off_t(offset), off_t(end - offset))
      guard number == 0 || number == EOPNOTSUPP || number == EINVAL else {
        errno = number
        throw SystemCall.error("make room for", path)
      }
    #endif
  }

  /// Takes a lock that lasts until ``unlock()`` or the close, and waits for it where asked to.
  ///
  /// - Returns: False where another has it and nobody waits.
  func lock(_ operation: Int32) throws -> Bool {
    while flock(descriptor, operation) != 0 {
      if errno == EWOULDBLOCK { return false }
      // Some network file systems have no locks: there nobody shares a file safely.
      if errno == ENOLCK || errno == EOPNOTSUPP { return true }
      guard errno == EINTR else { throw SystemCall.error("lock", path) }
    }
    return true
  }

  func unlock() { flock(descriptor, LOCK_UN) }
}
