import AtRestContainers
import AtRestFormats
import Crypto
import Foundation
import Testing

/// A database that SQLCipher wrote: see `Scripts/make-sqlcipher-fixtures.py`.
struct SQLCipherFixture: CustomTestStringConvertible, Sendable {
  let name: String
  /// The text or the bytes from which the database opens.
  let key: [UInt8]
  let format: String
  var testDescription: String { name }

  private init(_ name: String, _ format: String, passphrase: String? = nil) {
    self.name = name
    self.format = format
    key =
      passphrase.map { Array($0.utf8) } ?? Array(SHA256.hash(data: Data("AtRest \(name)".utf8)))
  }

  /// The databases that a key of 32 bytes opens.
  static let raw = [
    SQLCipherFixture("raw-4", "SQLCipher 4"), .init("raw-3", "SQLCipher 2 or 3"),
    .init("raw-2", "SQLCipher 2 or 3"), .init("raw-1", "SQLCipher"),
    .init("salt-4", "SQLCipher 4"), .init("sha256-4", "SQLCipher"),
    .init("sha1-4", "SQLCipher"),
    .init("unauthenticated-4", "SQLCipher"),
    .init("page1024-4", "SQLCipher 4"), .init("page8192-4", "SQLCipher 4"),
    .init("header-4", "SQLCipher 4"), .init("header-3", "SQLCipher 2 or 3"),
    .init("many-4", "SQLCipher 4"), .init("many-3", "SQLCipher 2 or 3"),
    .init("log-4", "SQLCipher 4"), .init("log-3", "SQLCipher 2 or 3"),
  ]

  /// The databases that a passphrase opens.
  static let passphrases = [
    SQLCipherFixture("passphrase-4", "SQLCipher 4", passphrase: "passphrase-4 of AtRest"),
    .init("passphrase-3", "SQLCipher 3", passphrase: "passphrase-3 of AtRest"),
    .init("passphrase-2", "SQLCipher 2", passphrase: "passphrase-2 of AtRest"),
    .init("passphrase-1", "SQLCipher 1", passphrase: "passphrase-1 of AtRest"),
    .init("bytes-4", "SQLCipher 4"),
  ]

  /// The database and its log, by their paths in a container.
  var files: [String: [UInt8]] {
    get throws {
      let folder = try #require(
        Bundle.module.url(forResource: "Fixtures/SQLCipher", withExtension: nil))
      var files: [String: [UInt8]] = [:]
      for suffix in ["", "-wal"] {
        guard let data = FileManager.default.contents(atPath: "\(folder.path)/\(name).db\(suffix)")
        else { continue }
        files["Documents/\(name).db\(suffix)"] = [UInt8](data)
      }
      return files
    }
  }

  var hex: String { key.map { String(format: "%02x", $0) }.joined() }
}
