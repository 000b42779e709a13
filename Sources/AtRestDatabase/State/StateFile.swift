import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation

/// The file `<name>-state` beside a database: two pairs of blocks, of which one is in use. The blocks of
/// a pair are written in turn, so one of them is whole after a crash. While the database is replaced, the
/// other pair is that of its successor.
///
/// A block of 4,096 bytes is magic (8) ‖ version (2) ‖ salt of the database (16) ‖ sealed state, and zeros.
/// Threads may share a file.
final class StateFile: Sendable {
  static let blockSize = 4096
  private static let blockCount = 4
  private static let magic = Data("AtDBstat".utf8)
  private static let version: UInt16 = 1

  let url: URL
  let database: URL
  private let salt: Data
  private let key: SecretBox

  static func url(of database: URL) -> URL {
    database.deletingLastPathComponent()
      .appendingPathComponent(database.lastPathComponent + "-state")
  }

  /// - Parameter database: The database whose state it is, or whose successor's.
  init(of database: URL, cipher: AtRestPageCipher) {
    self.database = database
    url = Self.url(of: database)
    salt = cipher.salt
    key = SecretBox(cipher.derive(.databaseState))
  }

  /// A block of this database that is authentic.
  struct Found {
    let block: Int
    let state: DatabaseState
  }

  /// Returns the present state.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if blocks of the database exist, and none is
  ///   authentic; ``AtRestError/Code/damaged`` if there is none;
  ///   ``AtRestError/Code/unsupportedVersion``.
  func read() throws -> Found {
    var found: Found?
    var isForeign = false
    for (block, bytes) in try blocks().enumerated() where bytes.prefix(8) == Self.magic {
      let version = UInt16(bytes[8]) << 8 | UInt16(bytes[9])
      guard version == Self.version else {
        throw AtRestError.unsupported("The file \(url.path)", version: version, known: Self.version)
      }
      guard bytes[10..<26] == salt else { continue }
      guard let state = try? state(in: bytes) else {
        isForeign = true
        continue
      }
      if state.sequence > (found?.state.sequence ?? 0) {
        found = Found(block: block, state: state)
      }
    }
    if let found { return found }
    guard isForeign else { throw damaged }
    throw AtRestError(
      .authenticationFailed, "The key does not open the state of the database \(database.path).",
      remedy: "Check the key or the passphrase.")
  }

  /// The error for a file without a state of the database.
  var damaged: AtRestError {
    .damaged(
      "The file \(url.path) has no authentic state of the database, or is missing.",
      remedy:
        "Restore it together with the database from a backup, or accept the database as it is "
        + "with `atrest database verify --accept-older`.")
  }

  /// Writes the state that follows another one, and waits until it is on the disk.
  ///
  /// - Parameter previous: The block with that state.
  func write(_ state: DatabaseState, after previous: Int) throws {
    try write(state, at: previous ^ 1)
  }

  /// Makes the file unless it exists, and writes the first state of a database, or a state in place of all
  /// others that it has.
  ///
  /// - Parameter predecessor: The salt of the database that this one will replace. Its state stays.
  func begin(_ state: DatabaseState, replacing predecessor: Data? = nil) throws {
    let descriptor = SystemPath.open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("made", errno) }
    close(descriptor)
    let isUsed = try blocks().prefix(2).contains {
      predecessor != nil && $0[10..<26] == predecessor
    }
    let block = isUsed ? 2 : 0
    try write(state, at: block)
    try erase(block ^ 1)
    try url.deletingLastPathComponent().synchronize()
  }

  private func write(_ state: DatabaseState, at block: Int) throws {
    var box = try SealingKey(key.bytes.duplicate()).seal(state.data, context: header)
    box = header + box
    box.append(Data(count: Self.blockSize - box.count))
    try write(box, at: block)
  }

  private func erase(_ block: Int) throws { try write(Data(count: Self.blockSize), at: block) }

  private func write(_ bytes: Data, at block: Int) throws {
    try withFile(writes: true) { file in
      let code = bytes.withUnsafeBytes {
        atrest_raw_write(
          file, $0.baseAddress!, Int32($0.count), Int64(block * Self.blockSize))
      }
      guard code == 0 else { throw failure("written", code) }
    }
  }

  private var header: Data {
    Self.magic + [UInt8(Self.version >> 8), UInt8(truncatingIfNeeded: Self.version)] + salt
  }

  private func state(in block: Data) throws -> DatabaseState {
    let header = header
    let size =
      header.count + SealingKey.overhead + DatabaseState(pageCount: 0, hash: .init()).data.count
    let box = Data(block[header.count..<size])
    return try SealingKey(key.bytes.duplicate())
      .open(box, context: header, name: "The state of the database")
      .withUnsafeBytes { try DatabaseState($0) }
  }

  private func blocks() throws -> [Data] {
    guard try DatabaseFile.exists(url) else { return [] }
    return try withFile(writes: false) { file in
      try (0..<Self.blockCount).compactMap { block in
        var bytes = Data(count: Self.blockSize)
        let code = bytes.withUnsafeMutableBytes {
          atrest_raw_read(file, $0.baseAddress!, Int32($0.count), Int64(block * Self.blockSize))
        }
        // 522 is SQLITE_IOERR_SHORT_READ: the bytes that are missing are zeros.
        guard code == 0 || code == 522 else { throw failure("read", code) }
        return bytes
      }
    }
  }

  private func withFile<Result>(writes: Bool, _ body: (OpaquePointer) throws -> Result) throws
    -> Result
  {
    var file: OpaquePointer?
    let code = SystemPath.with(url.path) { atrest_raw_open($0, writes ? 1 : 0, &file) }
    guard code == 0, let file else { throw failure("opened", code) }
    defer { atrest_raw_close(file) }
    return try body(file)
  }

  private func failure(_ verb: String, _ code: Int32) -> AtRestError {
    AtRestError(
      .system, "The file \(url.path) could not be \(verb) (code \(code)).",
      remedy: "Check that it is a file, its permissions, and the free space of its disk.")
  }
}
