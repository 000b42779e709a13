@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// The journal beside a protected file, which holds a complete change in place before the change is
/// applied.
///
/// The journal contains the writes of the change, sealed in their final form, and an end record
/// that authenticates all of them. If the next opening finds a journal with an end record, it
/// applies the journal, even if this was done before. A journal without an end record is dropped.
/// The journal is locked while a handle may write, so there is only one writer.
final class RedoJournal {
  private static let magic = Array("AtRestFJ".utf8)
  private static let version: UInt16 = 1
  private static let writeMark: UInt8 = 1
  private static let endMark: UInt8 = 2
  private static let macCount = 32

  static func entry(beside entry: FolderEntry) -> FolderEntry {
    entry.beside(entry.name + ".atrest-journal")
  }

  private let file: OpenFile
  private let entry: FolderEntry
  private var end: UInt64 = 0
  private var code: RunningAuthenticator?
  /// True if the first bytes of the journal and its name are durable.
  private(set) var isDurable = false
  private var isNameDurable = false
  private var isKept = false

  private init(_ file: OpenFile, _ entry: FolderEntry) {
    self.file = file
    self.entry = entry
  }

  deinit { if !isKept { _ = entry.folder.remove(entry.name) } }

  // MARK: Beginning

  /// Acquires the right to change a file, after finishing a change that a crash interrupted.
  ///
  /// - Throws: `AtRestError.Code.busy` if another handle has this right;
  ///   ``AtRestError/Code/invalidArgument`` if the file has several hard links, because each would
  ///   have a journal and a writer of its own.
  static func begin(beside target: OpenFile, keys: any FileKeys) throws -> RedoJournal {
    let path = target.path
    guard try target.status().links <= 1 else {
      throw AtRestError.invalid(
        "\(path) has several hard links, and cannot be changed in place.",
        remedy: "Copy it and change the copy, or remove the other links.")
    }
    guard let place = target.entry else { preconditionFailure("A file without a folder.") }
    let entry = Self.entry(beside: place)
    guard let file = try locked(entry, flags: O_CREAT) else {
      throw AtRestError(
        .busy, "\(path) is being changed by another handle or process.",
        remedy: "Try again when the change is finished.")
    }
    // The journal is removed with this object, unless `isKept` is true.
    let journal = RedoJournal(file, entry)
    journal.isKept = true
    try journal.recover(place, keys: keys)
    journal.isKept = false
    try file.truncate(to: 0)
    return journal
  }

  /// Finishes or drops a change that a crash interrupted. Does nothing if no journal exists.
  static func recover(beside place: FolderEntry, keys: any FileKeys) throws {
    let entry = Self.entry(beside: place)
    // An empty journal needs no recovery. It is not locked, because a writer may be about to lock
    // it.
    guard let status = entry.status, status.size > 0 else { return }
    do {
      // nil means that an active writer holds the lock. The file is then in its last committed
      // state.
      guard let file = try locked(entry, flags: 0) else { return }
      let journal = RedoJournal(file, entry)
      journal.isKept = true
      try journal.recover(place, keys: keys)
      journal.isKept = false
    } catch AtRestError.Code.notFound {
      return
    } catch let error as AtRestError where error.isOfSystem {
      throw AtRestError(
        error.code,
        "\(place.path) has an interrupted change, and \(entry.path) cannot be opened to finish "
          + "it.",
        remedy: "Open the file once with write permission for it and for its folder.")
    }
  }

  private static func locked(_ entry: FolderEntry, flags: Int32) throws -> OpenFile? {
    let path = entry.path
    while true {
      let descriptor = entry.folder.open(entry.name, flags: O_RDWR | flags)
      guard descriptor >= 0 else {
        if errno == ENOENT && flags & O_CREAT == 0 {
          throw AtRestError(.notFound, "There is no file \(path).", remedy: "Check the path.")
        }
        throw SystemCall.error("open", path)
      }
      let file = OpenFile(owning: descriptor, path: path)
      // Writing to the journal must not change anything else.
      let opened = try file.status()
      guard opened.isRegular, opened.links <= 1 else {
        throw AtRestError.damaged(
          "\(path) is not a journal: it is a special file or has a second name.",
          remedy: "Remove it if you did not create it.")
      }
      guard try file.lock(LOCK_EX | LOCK_NB) else { return nil }
      // The journal may have been removed after it was opened and before it was locked.
      let status = try file.status()
      if let present = entry.status, present.isSameFile(as: status) { return file }
    }
  }

  /// Prepares the journal for a change of the file in its current state.
  func reset(header: Data, size: UInt64, fileKey: borrowing SecretBytes) throws {
    let key = fileKey.derive(.fileJournal)
    var writer = ByteWriter(capacity: header.count + 64)
    writer.fixed(Self.magic)
    writer.integer(Self.version)
    writer.counted(header)
    writer.integer(size)
    writer.fixed(key.authenticationCode(for: writer.bytes))
    code = RunningAuthenticator(key)
    end = 0
    isDurable = false
    try file.truncate(to: 0)
    try append(writer.bytes)
  }

  private func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }

  private func append(_ bytes: UnsafeRawBufferPointer) throws {
    try file.write(bytes, at: end)
    code?.update(bytes)
    end += UInt64(bytes.count)
  }

  // MARK: Writing

  /// Adds a write to the change, and returns the position of its bytes in the journal.
  func append(_ bytes: UnsafeRawBufferPointer, for offset: UInt64) throws -> UInt64 {
    var writer = ByteWriter(capacity: 16)
    writer.integer(Self.writeMark)
    writer.integer(offset)
    writer.integer(UInt32(bytes.count))
    let before = (end, code)
    do {
      try append(writer.bytes)
      let position = end
      try append(bytes)
      return position
    } catch {
      // The disk is full. The next write overwrites this one.
      (end, code) = before
      throw error
    }
  }

  /// Reads bytes of an earlier write.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at position: UInt64) throws -> Int {
    try file.read(bytes, at: position)
  }

  /// Makes the journal durable, so the file itself may grow.
  func makeDurable() throws {
    try file.flush()
    isDurable = true
    guard !isNameDurable else { return }
    try entry.folder.flush()
    isNameDurable = true
  }

  /// Writes the end record, which commits the change.
  func commit(finalSize: UInt64) throws {
    guard let code else { preconditionFailure("The journal was not begun.") }
    var writer = ByteWriter(capacity: 48)
    writer.integer(Self.endMark)
    writer.integer(finalSize)
    var whole = code
    writer.bytes.withUnsafeBytes { whole.update($0) }
    writer.fixed(whole.authenticationCode())
    try writer.bytes.withUnsafeBytes { try file.write($0, at: end) }
    try makeDurable()
    end += UInt64(writer.bytes.count)
  }

  /// Applies a committed change.
  ///
  /// - Throws: ``AtRestError/Code/system``. The journal stays after an error, and the next opening
  ///   applies it.
  func apply(to target: OpenFile) throws {
    isKept = true
    _ = try target.lock(LOCK_EX)
    defer { target.unlock() }
    var finalSize: UInt64 = 0
    try scan(from: prologueEnd()) { record in
      switch record {
      case .write(let offset, let bytes): try target.write(bytes, at: offset)
      case .end(let size, _): finalSize = size
      }
    }
    try target.truncate(to: finalSize)
    try target.flush()
    isKept = false
    // This frees the space. If a crash undoes the truncation, the change is applied once more.
    try? file.truncate(to: 0)
  }

  // MARK: Recovery

  private enum Record {
    case write(offset: UInt64, bytes: UnsafeRawBufferPointer)
    case end(finalSize: UInt64, code: Data)
  }

  private func prologueEnd() throws -> UInt64 {
    let head = try file.read(14, at: 0)
    return try head.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: file.path)
      _ = try reader.fixed(10)
      return 14 + UInt64(try reader.integer(UInt32.self)) + 8 + UInt64(Self.macCount)
    }
  }

  /// Reads the records in order.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if they are cut off or malformed.
  private func scan(from start: UInt64, _ body: (Record) throws -> Void) throws {
    let total = try file.status().size
    var position = start
    // The largest write is a version table.
    let limit = VersionTable.maximumCount + SealingKey.overhead
    while true {
      let head = try file.read(41, at: position)
      let count: Int? = try head.withUnsafeBytes { bytes in
        var reader = ByteReader(bytes, name: file.path)
        let mark = try reader.integer(UInt8.self)
        let offset = try reader.integer(UInt64.self)
        // The creator of the file can authenticate any offset, even one that no file can have.
        guard offset <= UInt64(Int64.max) - UInt64(limit) else {
          throw AtRestError.damaged("\(file.path) has a write at offset \(offset).")
        }
        if mark == Self.endMark {
          try body(.end(finalSize: offset, code: Data(try reader.fixed(Self.macCount))))
          return nil
        }
        let count = Int(try reader.integer(UInt32.self))
        guard mark == Self.writeMark, count <= limit, position + 13 + UInt64(count) <= total else {
          throw AtRestError.damaged("\(file.path) ends in the middle of a write.")
        }
        let content = try file.read(count, at: position + 13)
        try content.withUnsafeBytes { try body(.write(offset: offset, bytes: $0)) }
        return count
      }
      guard let count else { return }
      position += 13 + UInt64(count)
    }
  }

  /// Applies the change in the journal if it was committed, and reverts it otherwise.
  ///
  /// - Throws: An error if the file's key is not available now, such as
  ///   ``AtRestError/Code/locked``.
  private func recover(_ place: FolderEntry, keys: any FileKeys) throws {
    guard let prologue = Prologue(file) else { return }
    let path = place.path
    let target = try place.regular(flags: O_RDWR)
    let head = try target.read(FileHeader.maximumCount, at: 0)
    // If the file was replaced or changed again, the journal belongs to another file or state.
    guard head.count >= FileHeader.fixedCount,
      head[19..<35].elementsEqual(prologue.header.identity)
    else { return }
    let generation = head.withUnsafeBytes {
      UInt64(
        bigEndian: $0.loadUnaligned(fromByteOffset: FileHeader.generationOffset, as: UInt64.self))
    }
    guard
      generation == prologue.header.generation || generation == prologue.header.generation &+ 1
    else { return }
    let fileKey = try Self.fileKey(head, prologue.header, path, keys)
    guard prologue.isAuthentic(fileKey: fileKey) else { return }
    guard let change = try committedHeader(fileKey.derive(.fileJournal)) else {
      return try takeBack(from: target, header: prologue.headerBytes, size: prologue.size)
    }
    // If the file has a complete header that is neither the one before nor the one after this
    // change, it has other readers by now. An old journal must not restore the former readers.
    let isWhole = [prologue.headerBytes, change].contains { head.starts(with: $0) }
    guard isWhole || !Self.isAuthentic(head, fileKey, path) else { return }
    try apply(to: target)
  }

  private static func isAuthentic(
    _ head: Data, _ key: borrowing SecretBytes, _ path: String
  ) -> Bool {
    guard let count = try? head.withUnsafeBytes({ try FileHeader.count(in: $0, name: path) }),
      head.count >= count
    else { return false }
    return head.prefix(count).withUnsafeBytes { FileHeader.isAuthentic($0, fileKey: key) }
  }

  /// Returns the key with which the journal must have been written.
  ///
  /// The key slots of the file's header are used: they name the present readers, and cannot be
  /// forged for an existing file with a public key alone. The key slots of the journal's header are
  /// used only if the file's header is not intact, as after a crash.
  private static func fileKey(
    _ head: Data, _ journaled: FileHeader, _ path: String, _ keys: any FileKeys
  ) throws -> SecretBytes {
    guard
      let present = try? head.withUnsafeBytes({ try FileHeader(decoding: $0, name: path) })
    else { return try keys.unwrap(journaled.slots, name: path) }
    let refusal: any Error
    do {
      let key = try keys.unwrap(present.slots, name: path) { isAuthentic(head, $0, path) }
      if isAuthentic(head, key, path) { return key }
      refusal = AtRestError.damaged("The header of \(path) was modified.")
    } catch AtRestError.Code.damaged {
      refusal = AtRestError.damaged("The header of \(path) was modified.")
    } catch let error as AtRestError where error.code == .authenticationFailed {
      refusal = error
    }
    guard let key = try? keys.unwrap(journaled.slots, name: path) else { throw refusal }
    return key
  }

  /// Removes the bytes that an unfinished change left after the end of a file.
  ///
  /// - Throws: ``AtRestError/Code/system``. The journal stays after an error, and the next opening
  ///   removes the bytes.
  func takeBack(from target: OpenFile, header: Data, size: UInt64) throws {
    isKept = true
    // A change that another handle committed meanwhile must not be cut off.
    if try target.status().size > size, try target.read(header.count, at: 0) == header {
      try target.truncate(to: size)
      try target.flush()
    }
    isKept = false
  }

  /// Returns the committed size of a file, without the bytes that an active writer has added after
  /// its end.
  ///
  /// Call this only while holding the file's lock, so nothing is committed meanwhile.
  ///
  /// - Parameter fileKey: The key that authenticates the journal, or nil to use the journal without
  ///   authentication.
  static func committedSize(
    of file: OpenFile, header: Data, fileKey: SecretBox?
  ) throws -> UInt64 {
    while true {
      let size = try file.status().size
      if let journal = try? file.entry.map({ try entry(beside: $0).regular() }),
        let prologue = Prologue(journal), prologue.size < size, prologue.headerBytes == header,
        fileKey.map({ prologue.isAuthentic(fileKey: $0.bytes) }) ?? true
      {
        return prologue.size
      }
      // If the size differs, a writer reverted its change in between, and cut the file: try again.
      if try file.status().size == size { return size }
    }
  }

  /// The head of a journal: the identity and the state of the file when the change began.
  private struct Prologue {
    let header: FileHeader
    let headerBytes: Data
    /// The size of the stored file in bytes.
    let size: UInt64
    private let covered: Data
    private let code: Data

    /// Reads the head of a journal. Returns nil if the head is missing or damaged, as after a crash
    /// before it was durable. The file does not depend on such a journal.
    init?(_ file: OpenFile) {
      do {
        let bytes = try file.read(FileHeader.maximumCount + 64, at: 0)
        (header, headerBytes, size, covered, code) = try bytes.withUnsafeBytes { bytes in
          var reader = ByteReader(bytes, name: file.path)
          guard try reader.fixed(8).elementsEqual(magic),
            try reader.integer(UInt16.self) == version
          else { throw AtRestError.damaged("\(file.path) is not a journal.") }
          let headerBytes = try reader.counted(limit: FileHeader.maximumCount)
          let header = try FileHeader(decoding: headerBytes, name: file.path)
          let size = try reader.integer(UInt64.self)
          let covered = Data(bytes[..<reader.offset])
          return (header, Data(headerBytes), size, covered, Data(try reader.fixed(macCount)))
        }
      } catch { return nil }
    }

    func isAuthentic(fileKey: borrowing SecretBytes) -> Bool {
      fileKey.derive(.fileJournal).isValid(authenticationCode: code, for: covered)
    }
  }

  /// Returns the header that the journal's change writes, or nil if the change was not committed.
  private func committedHeader(_ key: borrowing SecretBytes) throws -> Data? {
    var whole = RunningAuthenticator(key)
    let start = try prologueEnd()
    try file.read(Int(start), at: 0).withUnsafeBytes { whole.update($0) }
    var isCommitted = false
    var header = Data()
    do {
      try scan(from: start) { record in
        var writer = ByteWriter(capacity: 16)
        switch record {
        case .write(let offset, let bytes):
          writer.integer(Self.writeMark)
          writer.integer(offset)
          writer.integer(UInt32(bytes.count))
          writer.bytes.withUnsafeBytes { whole.update($0) }
          whole.update(bytes)
          if offset == 0 { header = Data(bytes) }
        case .end(let size, let code):
          writer.integer(Self.endMark)
          writer.integer(size)
          writer.bytes.withUnsafeBytes { whole.update($0) }
          let expected = whole.authenticationCode()
          isCommitted = expected.withUnsafeBytes { expected in
            code.withUnsafeBytes { constantTimeEqual(expected, $0) }
          }
        }
      }
    } catch AtRestError.Code.damaged {
      return nil
    }
    return isCommitted ? header : nil
  }
}
