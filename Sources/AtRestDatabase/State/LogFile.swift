import AtRestKeybag
import CAtRestDatabase
import Foundation

/// The log of a database in AtRest's format, read without SQLite.
struct LogFile {
  static let headerSize = 32
  static let frameHeaderSize = 24

  let url: URL
  private let pageSize: Int

  init(of database: URL, pageSize: Int) {
    url = database.deletingLastPathComponent()
      .appendingPathComponent(database.lastPathComponent + "-wal")
    self.pageSize = pageSize
  }

  /// Returns the page numbers of the first frames.
  func pages(count: Int) -> [UInt32] {
    withFile { file in
      (0..<count).compactMap { frame in
        let header = bytes(
          file, at: Self.headerSize + frame * (Self.frameHeaderSize + pageSize), count: 4)
        return header?.withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) }
      }
    } ?? []
  }

  /// The number of the state in which the log was begun, which is not authenticated; nil if there is no
  /// log.
  var begun: UInt64? {
    withFile { file in
      bytes(file, at: 24, count: 8)?.withUnsafeBytes {
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self))
      }
    } ?? nil
  }

  private func withFile<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
    var file: OpaquePointer?
    guard SystemPath.with(url.path, { atrest_raw_open($0, 0, &file) }) == 0, let file else {
      return nil
    }
    defer { atrest_raw_close(file) }
    return body(file)
  }

  private func bytes(_ file: OpaquePointer, at offset: Int, count: Int) -> Data? {
    var bytes = Data(count: count)
    let code = bytes.withUnsafeMutableBytes {
      atrest_raw_read(file, $0.baseAddress!, Int32(count), Int64(offset))
    }
    return code == 0 ? bytes : nil
  }
}
