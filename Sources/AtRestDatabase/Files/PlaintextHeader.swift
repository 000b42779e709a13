import AtRestKeybag
import Foundation

/// The header of a database in plaintext.
enum PlaintextHeader {
  /// Returns true if the file has fewer pages than its header says. SQLite reads the rest of a page that is not whole
  /// as zeros, and finds nothing wrong.
  ///
  /// A file with a log is not judged: the log may have the pages that are missing.
  static func isCut(_ url: URL) throws -> Bool {
    let log = SystemPath.status(url.appending(suffix: "-wal").path)
    guard log.map({ $0.st_size == 0 }) ?? true else { return false }
    let file = try DatabaseFile(url, format: .sqlcipher4)
    guard let header = file.bytes(at: 0, count: 100) else { return false }
    let words = header.map { Int($0) }
    let pageSize = words[16] << 8 | words[17]
    let count = words[28..<32].reduce(0) { $0 << 8 | $1 }
    // A version of SQLite that does not know the number leaves it, and raises only the counter.
    guard count > 0, words[24..<28].elementsEqual(words[92..<96]) else { return false }
    return file.size < count * (pageSize == 1 ? 65_536 : pageSize)
  }
}
