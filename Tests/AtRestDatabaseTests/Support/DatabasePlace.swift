import Crypto
import Foundation

/// The identification of a file's path in a record: see `docs/Formats.md`.
enum DatabasePlace {
  static func hash(_ path: String) throws -> Data {
    Data(SHA256.hash(data: Data(path.utf8)).prefix(16))
  }
}
