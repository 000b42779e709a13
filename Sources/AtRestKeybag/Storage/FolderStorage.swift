import AtRestCrypto
import Foundation

/// A folder of small files, each replaced by write, fsync, rename and fsync of the folder.
package final class FolderStorage: StoreStorage {
  package let folder: URL
  package var location: String { folder.path }
  private let threads = NSLock()

  /// Names a folder, which is made (0700) at the first write.
  package init(_ folder: URL) { self.folder = folder }

  package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  package func read(_ name: String) throws -> Data? {
    let path = path(name)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if file < 0 && (errno == ENOENT || errno == ENOTDIR) { return nil }
    guard file >= 0 else { throw SystemCall.error("open", path) }
    defer { close(file) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemCall.error("read", path) }
      if count == 0 { return data }
      data.append(contentsOf: buffer[0..<count])
      guard data.count <= 1 << 20 else {
        throw AtRestError.damaged("\(path) is larger than any file of its kind.")
      }
    }
  }

  package func replace(_ name: String, with data: Data) throws {
    try makeFolder()
    let path = path(name)
    let temporary = "\(path).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemCall.error("create", temporary) }
    do {
      defer { close(file) }
      try SystemCall.write(data, to: file, path: temporary)
      guard fsync(file) == 0 else { throw SystemCall.error("flush", temporary) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = SystemCall.error("replace", path)
      unlink(temporary)
      throw error
    }
    try SystemCall.flushFolder(folder.path)
  }

  package func destroy(_ name: String) throws {
    let path = path(name)
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    if file < 0 && errno == ENOENT { return }
    guard file >= 0 else { throw SystemCall.error("open", path) }
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    lseek(file, 0, SEEK_SET)
    try SystemCall.write(RandomBytes.data(count: Int(max(0, size))), to: file, path: path)
    guard fsync(file) == 0 else { throw SystemCall.error("flush", path) }
    guard unlink(path) == 0 else { throw SystemCall.error("remove", path) }
    try SystemCall.flushFolder(folder.path)
  }

  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    // Spares threads of one process the turn through the kernel.
    threads.lock()
    defer { threads.unlock() }
    try makeFolder()
    let path = path("lock")
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemCall.error("open", path) }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw SystemCall.error("lock", path) }
    }
    return try body()
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

/// System calls that turn into errors that say what was tried on which path.
package enum SystemCall {
  package static func error(_ verb: String, _ path: String) -> AtRestError {
    let number = errno
    return AtRestError(
      .system, "Could not \(verb) \(path): \(String(cString: strerror(number))).",
      remedy: "Check the path, its permissions and the free space of its disk.")
  }

  package static func write(_ data: Data, to file: Int32, path: String) throws {
    try data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(file, bytes.baseAddress! + offset, bytes.count - offset)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw error("write", path) }
        offset += count
      }
    }
  }

  package static func flushFolder(_ path: String) throws {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw error("open the folder", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw error("flush the folder", path) }
  }
}
