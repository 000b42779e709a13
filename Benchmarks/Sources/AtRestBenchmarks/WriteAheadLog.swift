import Foundation

/// Counts the pages that SQLite appends to the write-ahead log of a database.
///
/// The number of frames and the salts of the log are in the header of the shared-memory file, whose
/// format SQLite documents (<https://sqlite.org/walformat.html>). Reading it takes no lock, so
/// counting does not disturb the measured connection. New salts mean that the log was restarted.
final class WriteAheadLog {
  /// A point in the log.
  struct Mark: Equatable {
    fileprivate let salts: UInt64
    fileprivate let frames: UInt32
  }

  private let file: Int32

  /// Opens the log of a database that a connection has open in WAL mode.
  init(ofDatabase path: String) throws {
    file = open(path + "-shm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure(path: path) }
  }

  deinit { close(file) }

  func mark() throws -> Mark {
    try withUnsafeTemporaryAllocation(byteCount: 48, alignment: 8) { header in
      guard pread(file, header.baseAddress, header.count, 0) == header.count else {
        throw Failure(path: "the header of a write-ahead log")
      }
      return Mark(
        salts: header.load(fromByteOffset: 32, as: UInt64.self),
        frames: header.load(fromByteOffset: 16, as: UInt32.self))
    }
  }

  /// Returns the number of pages appended since a mark, provided that the log was restarted at most
  /// once.
  func pages(since mark: Mark) throws -> Int {
    let now = try self.mark()
    return Int(now.frames) - (now.salts == mark.salts ? Int(mark.frames) : 0)
  }

  struct Failure: Error {
    let path: String
  }
}
