import Crypto
import Foundation

/// The identification of a file's path in a record: see `docs/Formats.md`.
enum DatabasePlace {
  static func of(_ file: URL) throws -> Data {
    guard let folder = realpath(file.deletingLastPathComponent().path, nil) else {
      throw POSIXError(.ENOENT)
    }
    defer { free(folder) }
    return try hash("\(String(cString: folder))/\(file.lastPathComponent)")
  }

  static func hash(_ path: String) throws -> Data {
    Data(SHA256.hash(data: Data(path.utf8)).prefix(16))
  }
}
