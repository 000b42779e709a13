import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// A regular file that is read once from its beginning, and must not change meanwhile.
final class ContentFile {
  let path: String
  let status: stat
  private let descriptor: Int32

  /// Opens a file in a folder that is held open. Links are not followed.
  ///
  /// - Parameter path: The path for messages.
  convenience init(_ name: UnsafePointer<CChar>, in folder: OpenFolder, path: String) throws {
    let descriptor = folder.open(name, flags: O_RDONLY)
    guard descriptor >= 0 else {
      throw errno == ELOOP ? PathError.changedMeanwhile(path) : PathError.current("open", path)
    }
    try self.init(owning: descriptor, path: path)
  }

  private init(owning descriptor: Int32, path name: String) throws {
    self.descriptor = descriptor
    path = name
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = SystemCall.error("inspect", name)
      close(descriptor)
      throw error
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw AtRestError.invalid(
        "\(name) is not a regular file.",
        remedy: status.st_mode & S_IFMT == S_IFDIR
          ? "Make a manifest of the folder." : "Pass its contents on standard input.")
    }
    self.status = status
  }

  convenience init(_ file: URL) throws {
    // Without O_NONBLOCK, a pipe would block before the file's type is known.
    let descriptor = SystemPath.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw PathError.current("open", file.path) }
    try self.init(owning: descriptor, path: file.path)
  }

  deinit { close(descriptor) }

  var size: UInt64 { UInt64(status.st_size) }

  /// Reads the bytes of a short range.
  func bytes(at offset: UInt64, count: Int) throws -> Data {
    var data = Data(count: count)
    var done = 0
    try data.withUnsafeMutableBytes { bytes in
      while done < count {
        let got = pread(
          descriptor, bytes.baseAddress! + done, count - done, off_t(offset) + off_t(done))
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw SystemCall.error("read", path) }
        guard got > 0 else { throw changedMeanwhile() }
        done += got
      }
    }
    return data
  }

  /// Hashes the first bytes of the file, and passes them to the closure.
  ///
  /// - Parameter count: The number of bytes, or nil for all.
  func digest(
    first count: UInt64? = nil, meter: ProgressMeter, buffer: ReadBuffer = ReadBuffer(),
    _ body: (Data) throws -> Void = { _ in }
  ) throws -> ContentDigest {
    let expected = count ?? size
    let content = try Self.digest(
      descriptor, path, limit: expected, meter: meter, buffer: buffer, body)
    // The status change time (ctime) is not compared, because it also changes when the path gets a
    // new file. The open file is then the complete old one.
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { throw SystemCall.error("inspect", path) }
    guard content.size == expected, now.hasContents(of: status) else {
      throw changedMeanwhile()
    }
    return content
  }

  /// Hashes the bytes of a descriptor until its end.
  static func digest(
    of descriptor: Int32, name: String, meter: ProgressMeter
  ) throws -> ContentDigest {
    try digest(descriptor, name, limit: .max, meter: meter, buffer: ReadBuffer()) { _ in }
  }

  private static func digest(
    _ descriptor: Int32, _ path: String, limit: UInt64, meter: ProgressMeter,
    buffer: ReadBuffer, _ body: (Data) throws -> Void
  ) throws -> ContentDigest {
    var hash = SHA256()
    var size: UInt64 = 0
    while size < limit {
      try meter.check()
      let wanted = Int(min(UInt64(ReadBuffer.count), limit - size))
      let got = read(descriptor, buffer.start, wanted)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw SystemCall.error("read", path) }
      if got == 0 { break }
      hash.update(bufferPointer: UnsafeRawBufferPointer(start: buffer.start, count: got))
      try body(Data(bytesNoCopy: buffer.start, count: got, deallocator: .none))
      size += UInt64(got)
      meter.add(got)
    }
    return ContentDigest(size: size, digest: Data(hash.finalize()))
  }

  func changedMeanwhile() -> AtRestError { PathError.changedMeanwhile(path) }

  /// Returns true if an entry still names the file that was opened, and the file is unchanged.
  func isInPlace(_ entry: FolderEntry) -> Bool {
    guard let now = entry.folder.status(of: entry.name) else { return false }
    return now.hasContents(of: status) && now.changed == status.changed
  }
}

extension stat {
  /// Returns true if the file was not written between the two calls of stat.
  func hasContents(of other: stat) -> Bool {
    st_dev == other.st_dev && st_ino == other.st_ino && st_size == other.st_size
      && modified == other.modified
  }

  #if canImport(Darwin)
    fileprivate var modified: [Int] { [st_mtimespec.tv_sec, st_mtimespec.tv_nsec] }
    fileprivate var changed: [Int] { [st_ctimespec.tv_sec, st_ctimespec.tv_nsec] }
  #else
    fileprivate var modified: [Int] { [st_mtim.tv_sec, st_mtim.tv_nsec] }
    fileprivate var changed: [Int] { [st_ctim.tv_sec, st_ctim.tv_nsec] }
  #endif
}
