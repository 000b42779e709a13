import Foundation

/// Bytes at rest that are read at random and never altered: a file, memory, or what a file decrypts to.
///
/// A file is read with `pread`, not mapped: it may shrink while it is read, and what was read does not
/// count as memory of the process. Thread-safe.
public final class ByteSource: Sendable {
  public let count: Int
  private let storage: Storage

  private enum Storage: Sendable {
    case memory([UInt8])
    case file(Int32)
    case made(@Sendable (Range<Int>) throws(FormatError) -> [UInt8])
    case part(ByteSource, from: Int)
  }

  public init(_ bytes: [UInt8]) {
    storage = .memory(bytes)
    count = bytes.count
  }

  /// Bytes that are made when they are asked for.
  ///
  /// - Parameter make: Gives exactly the bytes of a range within the count, on any thread.
  public init(
    count: Int, made make: @escaping @Sendable (Range<Int>) throws(FormatError) -> [UInt8]
  ) {
    storage = .made(make)
    self.count = count
  }

  /// Opens a file for reading; follows no symbolic link at its end and waits for no pipe.
  ///
  /// - Throws: ``FormatError`` if it cannot be opened or is no regular file.
  public init(file path: String) throws(FormatError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw FormatError("The file cannot be opened: \(String(cString: strerror(errno))).")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FormatError("This is no regular file.")
    }
    storage = .file(descriptor)
    count = Int(status.st_size)
  }

  /// A range of another source, which it keeps open.
  ///
  /// - Throws: ``FormatError`` if the range goes beyond the end.
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

  /// The bytes of a range.
  ///
  /// - Throws: ``FormatError`` if the range goes beyond the end, or the file cannot be read.
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

  /// The first bytes, fewer if there are fewer.
  public func prefix(_ length: Int) throws(FormatError) -> [UInt8] {
    try read(0..<min(length, count))
  }
}
