import Foundation

/// Bytes that can be read at any offset and are never modified: a file, memory, or decrypted data.
///
/// A file is read with `pread` and not mapped, because it may shrink while it is read, and so that
/// its pages do not count as memory of the process. Thread-safe.
public final class ByteSource: Sendable {
  public let count: Int
  private let storage: Storage

  private enum Storage: Sendable {
    case memory([UInt8])
    case file(Int32)
    case made(@Sendable (Range<Int>) throws(FormatError) -> [UInt8])
    case part(ByteSource, from: Int)
  }

  /// Creates a source from bytes in memory.
  public init(_ bytes: [UInt8]) {
    storage = .memory(bytes)
    count = bytes.count
  }

  /// Creates a source whose bytes are produced on demand.
  ///
  /// - Parameter make: Returns exactly the bytes of a range within the count. It is called on any
  ///   thread.
  public init(
    count: Int, made make: @escaping @Sendable (Range<Int>) throws(FormatError) -> [UInt8]
  ) {
    storage = .made(make)
    self.count = count
  }

  /// Opens a file for reading.
  ///
  /// A symbolic link as the last part of the path is not followed, and opening a pipe does not
  /// block.
  ///
  /// - Throws: ``FormatError`` if the file cannot be opened, or is not a regular file.
  public init(file path: String) throws(FormatError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw FormatError("The file cannot be opened: \(String(cString: strerror(errno))).")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FormatError("This is not a regular file.")
    }
    storage = .file(descriptor)
    count = Int(status.st_size)
  }

  /// Creates a source for a range of another source, which it keeps open.
  ///
  /// - Throws: ``FormatError`` if the range extends beyond the end.
  public init(_ whole: ByteSource, _ range: Range<Int>) throws(FormatError) {
    guard range.lowerBound >= 0, range.upperBound <= whole.count else {
      throw FormatError("The file ends before it should.", offset: whole.count)
    }
    storage = .part(whole, from: range.lowerBound)
    count = range.count
  }

  deinit {
    if case .file(let descriptor) = storage { close(descriptor) }
  }

  /// Reads the bytes of a range.
  ///
  /// - Throws: ``FormatError`` if the range extends beyond the end, or the file cannot be read.
  public func read(_ range: Range<Int>) throws(FormatError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FormatError("The file ends before it should.", offset: min(range.lowerBound, count))
    }
    switch storage {
    case .memory(let bytes): return Array(bytes[range])
    case .made(let make): return try make(range)
    case .part(let whole, let start):
      return try whole.read(start + range.lowerBound..<start + range.upperBound)
    case .file(let descriptor):
      var failure: FormatError?
      let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
        while filled < range.count {
          let got = pread(
            descriptor, buffer.baseAddress! + filled, range.count - filled,
            off_t(range.lowerBound + filled))
          if got < 0, errno == EINTR { continue }
          guard got > 0 else {
            failure = FormatError(
              got == 0
                ? "The file became shorter while it was read."
                : "The file cannot be read: \(String(cString: strerror(errno))).",
              offset: range.lowerBound + filled)
            return
          }
          filled += got
        }
      }
      if let failure { throw failure }
      return bytes
    }
  }

  #if canImport(Darwin)
    private static let seekData = SEEK_DATA
  #else
    // Glibc defines it only for GNU programs.
    private static let seekData: Int32 = 3
  #endif

  /// The offset of the first byte, from an offset on, that is not in a hole of a sparse file. The
  /// count if only a hole follows.
  ///
  /// Holes read as zeros. Sources other than files have none.
  public func nextData(from offset: Int) -> Int {
    switch storage {
    case .memory, .made: return offset
    case .part(let whole, let start):
      return min(count, whole.nextData(from: start + offset) - start)
    case .file(let descriptor):
      guard offset < count else { return count }
      // The position of the file is not used elsewhere, so threads do not disturb each other.
      let found = lseek(descriptor, off_t(offset), Self.seekData)
      if found >= 0 { return min(count, max(offset, Int(found))) }
      return errno == ENXIO ? count : offset
    }
  }

  /// Reads the first bytes, or all if the source is shorter.
  public func prefix(_ length: Int) throws(FormatError) -> [UInt8] {
    try read(0..<min(length, count))
  }
}
