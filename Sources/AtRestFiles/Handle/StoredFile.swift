import AtRestCrypto
import CAtRestSystem
import Foundation

/// An opened protected file: its authenticated header, and the layout of its contents.
struct StoredFile: Sendable {
  let file: OpenFile
  let secrets: FileSecrets
  private(set) var header: FileHeader
  private(set) var headerBytes: Data
  private(set) var table: VersionTable
  /// The size of the contents in bytes, authenticated by the last chunk.
  private(set) var size: UInt64
  /// The size of the stored file in bytes.
  private(set) var storedSize: UInt64

  var layout: ChunkLayout { ChunkLayout(header) }
  private var name: String { file.path }

  /// Opens a file, after finishing a change that a crash interrupted.
  static func open(_ path: String, keys: any FileKeys, flags: Int32 = O_RDONLY) throws -> StoredFile
  {
    try open(FolderEntry(following: path), keys: keys, flags: flags)
  }

  /// Opens a file in a folder that is held open.
  static func open(
    _ entry: FolderEntry, keys: any FileKeys, flags: Int32 = O_RDONLY
  ) throws -> StoredFile {
    try RedoJournal.recover(beside: entry, keys: keys)
    return try StoredFile(entry.regular(flags: flags), keys: keys)
  }

  /// Opens a file, and locks it meanwhile, so no handle changes it.
  init(_ file: OpenFile, keys: any FileKeys) throws {
    _ = try file.lock(LOCK_SH)
    defer { file.unlock() }
    let (header, bytes) = try Self.readHeader(of: file)
    try self.init(
      file, header, bytes,
      FileSecrets(unwrapping: header.slots, header: bytes, keys: keys, name: file.path))
  }

  /// Opens a file that was just created, and whose secrets are known.
  init(_ file: OpenFile, secrets: FileSecrets) throws {
    _ = try file.lock(LOCK_SH)
    defer { file.unlock() }
    let (header, bytes) = try Self.readHeader(of: file)
    try self.init(file, header, bytes, secrets)
  }

  private init(
    _ file: OpenFile, _ header: FileHeader, _ bytes: Data, _ secrets: FileSecrets
  ) throws {
    self.file = file
    self.secrets = secrets
    self.header = header
    headerBytes = bytes
    let name = file.path
    let key = try secrets.key()
    guard bytes.withUnsafeBytes({ FileHeader.isAuthentic($0, fileKey: key.bytes) }) else {
      throw AtRestError.damaged("The header of \(name) was modified.")
    }
    storedSize = try RedoJournal.committedSize(of: file, header: bytes, fileKey: key)
    guard storedSize >= UInt64(header.count + header.tableCount) else {
      throw AtRestError.damaged("\(name) was cut off at offset \(storedSize).")
    }
    let end = storedSize - UInt64(header.tableCount)
    if header.tableCount > 0 {
      table = try VersionTable(
        opening: file.read(header.tableCount, at: end), fileKey: key.bytes, header: header,
        name: name)
    } else {
      table = VersionTable(identity: header.identity)
    }
    size = try ChunkLayout(header).size(end: end, name: name)
    // Reading the last chunk authenticates the size: a file that was cut off must not look
    // complete.
    let last = layout.lastChunk(size: size)
    try withUnsafeTemporaryAllocation(
      byteCount: layout.count(of: last, size: size), alignment: 16
    ) { plaintext in
      defer { if let start = plaintext.baseAddress { atrest_erase(start, plaintext.count) } }
      try read(chunk: last, into: plaintext)
    }
  }

  static func readHeader(of file: OpenFile) throws -> (FileHeader, Data) {
    let fixed = try file.read(FileHeader.fixedCount, at: 0)
    let count = try fixed.withUnsafeBytes { try FileHeader.count(in: $0, name: file.path) }
    let bytes = try file.read(count, at: 0)
    return (
      try bytes.withUnsafeBytes { try FileHeader(decoding: $0, name: file.path) }, bytes
    )
  }

  /// Returns the file in its current state if another handle changed it, otherwise nil.
  ///
  /// Call this only while holding the file's lock.
  func changed() throws -> StoredFile? {
    let bytes = try file.read(8, at: UInt64(FileHeader.generationOffset))
    let generation = bytes.withUnsafeBytes { bytes in
      bytes.count == 8 ? UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) : nil
    }
    guard generation != header.generation else { return nil }
    let (header, headerBytes) = try Self.readHeader(of: file)
    return try StoredFile(file, header, headerBytes, secrets)
  }

  /// Takes on the state after a committed change.
  mutating func adopt(
    header: FileHeader, bytes: Data, table: VersionTable, size: UInt64, storedSize: UInt64
  ) {
    self.header = header
    headerBytes = bytes
    self.table = table
    self.size = size
    self.storedSize = storedSize
  }

  /// Runs a closure while no handle can change the file.
  func locked<Result>(_ body: () throws -> Result) throws -> Result {
    _ = try file.lock(LOCK_SH)
    defer { file.unlock() }
    return try body()
  }

  /// Returns the place of a stored chunk, and the salt of the key that sealed it.
  func place(of chunk: UInt64) -> (salt: Data, place: ChunkCipher.Place) {
    let version = table.version(of: chunk)
    return (
      version.salt,
      ChunkCipher.Place(
        counter: version.counter, index: chunk,
        isLast: chunk == layout.lastChunk(size: size))
    )
  }

  /// Opens a stored chunk into memory that has exactly the size of its plaintext.
  func read(chunk: UInt64, into plaintext: UnsafeMutableRawBufferPointer) throws {
    let (salt, place) = place(of: chunk)
    let cipher = try secrets.cipher(salt: salt)
    let count = plaintext.count + ChunkCipher.overhead
    try withUnsafeTemporaryAllocation(
      byteCount: ChunkCipher.headroom + count, alignment: 16
    ) { sealed in
      let body = UnsafeMutableRawBufferPointer(rebasing: sealed[ChunkCipher.headroom...])
      let got = try file.read(body, at: layout.position(of: chunk))
      guard got == count, cipher.open(sealed, place: place, into: plaintext) else {
        throw damaged(chunk)
      }
    }
  }

  func damaged(_ chunk: UInt64) -> AtRestError {
    Self.damaged(chunk, at: layout.position(of: chunk), name: name)
  }

  static func damaged(_ chunk: UInt64, at offset: UInt64, name: String) -> AtRestError {
    .damaged(
      "\(name) is damaged in chunk \(chunk), at offset \(offset): it was modified, moved, cut off, "
        + "or replaced by an older version.")
  }
}
