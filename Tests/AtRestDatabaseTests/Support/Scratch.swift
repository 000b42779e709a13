import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import AtRestSimulation
import Foundation
import GRDB

/// A folder that is removed when the test ends.
final class Scratch {
  /// The raw key of the tests.
  static let key = String(repeating: "0123456789abcdef", count: 4)

  let folder: URL
  var file: URL { folder.appendingPathComponent("notes.db") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-database-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// An unlocked keychain in memory.
  static func keychain() throws -> Keychain {
    try SimulatedDevice(passcode: "1234").keychain()
  }

  /// The raw key of the tests, as bytes.
  static func rawKey() throws -> DatabaseKey {
    let bytes = (0..<32).map { UInt8([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef][$0 % 8]) }
    return try .raw(SecretBytes(Data(bytes)))
  }

  /// Copies the database with its journal and log to a folder, and returns the copy of the database.
  func copy(_ name: String) throws -> URL {
    let copy = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasPrefix("notes.db") && !file.hasSuffix("-shm") {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(file), to: copy.appendingPathComponent(file))
    }
    return copy.appendingPathComponent("notes.db")
  }

  /// The files of the database, by name.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where file.hasPrefix("notes.db") {
      contents[file] = try Data(contentsOf: folder.appendingPathComponent(file))
    }
    return contents
  }

  func openPool(
    _ format: DatabaseFormat = .sqlcipher4, _ configuration: Configuration = Configuration()
  ) throws -> DatabasePool {
    try EncryptedDatabase.open(
      at: file, key: Self.rawKey(), format: format, creating: true, configuration: configuration)
  }

  func openQueue(
    _ format: DatabaseFormat = .sqlcipher4, _ configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try EncryptedDatabase.openQueue(
      at: file, key: Self.rawKey(), format: format, creating: true, configuration: configuration)
  }
}

extension Scratch {
  /// Changes one bit of the database's file.
  func flip(at offset: Int) throws {
    var data = try Data(contentsOf: file)
    data[offset] ^= 1
    try data.write(to: file)
  }
}
