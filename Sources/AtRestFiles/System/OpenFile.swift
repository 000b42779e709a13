import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// An open file descriptor. It is closed with this object, unless it is borrowed.
final class OpenFile: Sendable {
  let descriptor: Int32
  /// The path, for messages.
  let path: String
  /// The entry of the file, or nil if the file cannot have a journal beside it.
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

  /// Opens an existing file.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` if a folder is to be written;
  ///   ``AtRestError/Code/system``.
  convenience init(_ path: String, flags: Int32 = O_RDONLY) throws {
    // Without O_NONBLOCK, opening a pipe that has no writer would block. Pipes are refused later.
    let descriptor = SystemPath.open(path, flags | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw PathError.current("open", path) }
    self.init(owning: descriptor, path: path)
  }

  /// Opens an existing file that can be read at any offset.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for folders and special files; otherwise the
  ///   errors of ``init(_:flags:)``.
  static func regular(_ path: String, flags: Int32 = O_RDONLY) throws -> OpenFile {
    let file = try OpenFile(path, flags: flags)
    guard try file.status().isRegular else {
      throw AtRestError.invalid(
        "\(path) is a folder or a special file.",
        remedy: "Pass a regular file, or pipe its contents in.")
    }
    return file
  }

  /// Creates a file without a name, for ciphertext that does not fit in memory.
  static func temporary() throws -> OpenFile {
    let folder = FileManager.default.temporaryDirectory.path
    let unnamed = SystemPath.with(folder) { atrest_open_unnamed($0, 0o600) }
    if unnamed >= 0 { return OpenFile(owning: unnamed, path: "a temporary file in \(folder)") }
    let path = folder + "/atrest-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let named = SystemPath.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard named >= 0 else { throw SystemCall.error("create", path) }
    SystemPath.remove(path)
    return OpenFile(owning: named, path: path)
  }

  // MARK: Status

  typealias Status = FileStatus

  func status() throws -> Status {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemCall.error("look at", path) }
    return Status(status)
  }

  // MARK: Reading and writing

  /// Reads at an offset until the memory is full or the file ends, and returns the number of bytes
  /// read.
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

  /// Reads from a file or pipe until the memory is full or the input ends, and returns the number
  /// of bytes read.
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

  /// Writes the next bytes of a file or pipe.
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

  /// Tells the system to start writing to disk, so a later flush takes less time.
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

  /// Makes sure that the disk has space for bytes that will be written.
  func reserve(from offset: UInt64, to end: UInt64) throws {
    #if os(Linux)
      let number = posix_fallocate(descriptor, off_t(offset), off_t(end - offset))
      guard number == 0 || number == EOPNOTSUPP || number == EINVAL else {
        errno = number
        throw SystemCall.error("make room for", path)
      }
    #endif
  }

  /// Acquires a lock that lasts until `unlock()` or until the file is closed. Waits for the lock
  /// unless `operation` contains `LOCK_NB`.
  ///
  /// - Returns: False if the lock is held elsewhere and `operation` contains `LOCK_NB`.
  func lock(_ operation: Int32) throws -> Bool {
    while flock(descriptor, operation) != 0 {
      if errno == EWOULDBLOCK { return false }
      // Some network file systems have no locks. Sharing a file on them is not safe.
      if errno == ENOLCK || errno == EOPNOTSUPP { return true }
      guard errno == EINTR else { throw SystemCall.error("lock", path) }
    }
    return true
  }

  func unlock() { flock(descriptor, LOCK_UN) }
}
