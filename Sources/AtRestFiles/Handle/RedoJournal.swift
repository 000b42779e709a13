import AtRestCrypto
import AtRestKeybag
import Foundation

/// The file beside a protected file in which a change in place is made whole before it is applied.
///
/// It holds the writes that make up the change, sealed as they will stand, and an end that vouches
/// for all of them. Whoever opens the file next and finds a journal with an end applies it (again);
/// one without an end is dropped. Its lock is held while a handle may write, so there is one writer.
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
  /// The first bytes of a journal are durable, and its name.
  private(set) var isDurable = false
  private var isNameDurable = false
  private var isKept = false

  private init(_ file: OpenFile, _ entry: FolderEntry) {
    self.file = file
    self.entry = entry
  }

  deinit { if !isKept { _ = entry.folder.remove(entry.name) } }

  // MARK: Beginning

  /// Takes the right to change a file, after finishing what a crash interrupted.
  ///
  /// - Throws: `AtRestError.Code.busy` where another handle has it;
  ///   ``AtRestError/Code/invalidArgument`` where the file has several names, since each would have a
  ///   journal, and a writer, of its own.
  static func begin(beside target: OpenFile, keys: any FileKeys) throws -> RedoJournal {
    let path = target.path
    guard try target.status().links <= 1 else {
      throw AtRestError.invalid(
        "\(path) has several names (hard links), and is not changed in place.",
        remedy: "Copy it, and change the copy; or remove the other names.")
    }
    guard let place = target.entry else { preconditionFailure("A file without a folder.") }
    let entry = Self.entry(beside: place)
    guard let file = try locked(entry, flags: O_CREAT) else {
      throw AtRestError(
        .busy, "\(path) is being changed by another handle or process.",
        remedy: "Try again when that is done.")
    }
    // From here on the journal is removed with this value, unless it is still needed.
    let journal = RedoJournal(file, entry)
    journal.isKept = true
    try journal.recover(place, keys: keys)
    journal.isKept = false
    try file.truncate(to: 0)
    return journal
  }

  /// Finishes or drops what a crash interrupted, where there is something.
  static func recover(beside place: FolderEntry, keys: any FileKeys) throws {
    let entry = Self.entry(beside: place)
    // An empty one says nothing, and its lock is left to the writer who is about to take it.
    guard let status = entry.status, status.size > 0 else { return }
    do {
      // Nil: a live writer has it, and the file stands as last committed.
      guard let file = try locked(entry, flags: 0) else { return }
      let journal = RedoJournal(file, entry)
      journal.isKept = true
      try journal.recover(place, keys: keys)
      journal.isKept = false
    } catch AtRestError.Code.notFound {
      return
    } catch AtRestError.Code.system {
      throw AtRestError(
        .system,
        "\(place.path) has an interrupted change, and \(entry.path) cannot be opened to finish "
          + "it.",
        remedy: "Open the file once with the right to write to it and to its folder.")
    }
  }

  private static func locked(_ entry: FolderEntry, flags: Int32) throws -> OpenFile? {
    let path = entry.path
    while true {
      let descriptor = entry.folder.open(entry.name, flags: O_RDWR | flags)
      guard descriptor >= 0 else {
        if errno == ENOENT && flags & O_CREAT == 0 {
          throw AtRestError(.notFound, "There is no \(path).", remedy: "")
        }
        throw SystemCall.error("open", path)
      }
      let file = OpenFile(owning: descriptor, path: path)
      // It is going to be written to: nothing else may change with it.
      let opened = try file.status()
      guard opened.isRegular, opened.links <= 1 else {
        throw AtRestError.damaged(
          "\(path) is in the place of a journal, and is a special file or has a second name.",
          remedy: "Remove it if you did not put it there.")
      }
      guard try file.lock(LOCK_EX | LOCK_NB) else { return nil }
      // It may have been removed between the opening and the lock.
      let status = try file.status()
      if let present = entry.status, present.isSameFile(as: status) { return file }
    }
  }

  /// Makes the journal ready for a change of the file as it is now.
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

  /// Adds a write to the change, and gives where in the journal its bytes lie.
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
      // A full disk: the next write takes the place of this one.
      (end, code) = before
      throw error
    }
  }

  /// Bytes of an earlier write.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at position: UInt64) throws -> Int {
    try file.read(bytes, at: position)
  }

  /// Makes what was written durable, so that the file itself may grow.
  func makeDurable() throws {
    try file.flush()
    isDurable = true
    guard !isNameDurable else { return }
    try entry.folder.flush()
    isNameDurable = true
  }

  /// Ends the change: from here on it happened.
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
  /// - Throws: ``AtRestError/Code/system``: the journal then stays, and the next opening applies it.
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
    // Its room is free again. Where a crash undoes this, the change is applied once more.
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
  /// - Throws: ``AtRestError/Code/damaged`` where they are cut off or make no sense.
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
        // Whoever made the file can vouch for offsets that no file has.
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

  /// Applies the change that the journal holds, or takes back what an unfinished one left.
  ///
  /// - Throws: Where the file's key cannot be had now: ``AtRestError/Code/locked`` and the like.
  private func recover(_ place: FolderEntry, keys: any FileKeys) throws {
    guard let prologue = Prologue(file) else { return }
    let path = place.path
    let target = try place.regular(flags: O_RDWR)
    let head = try target.read(FileHeader.maximumCount, at: 0)
    // Of a file that was since replaced, or changed again: the journal means another one.
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
    // A whole header that is neither the former nor the next has other readers since: an old journal
    // must not bring theirs back.
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

  /// The key that a journal must have been written with.
  ///
  /// The file's header decides, which names those who read the file now, and cannot be forged with a
  /// public key alone beside a file that stands. Only where a crash cut it short does the journal's.
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
      refusal = AtRestError.damaged("The header of \(path) was changed.")
    } catch AtRestError.Code.damaged {
      refusal = AtRestError.damaged("The header of \(path) was changed.")
    } catch let error as AtRestError where error.code == .authenticationFailed {
      refusal = error
    }
    guard let key = try? keys.unwrap(journaled.slots, name: path) else { throw refusal }
    return key
  }

  /// Takes back what an unfinished change left behind the end of a file.
  ///
  /// - Throws: ``AtRestError/Code/system``: the journal then stays, and the next opening does it.
  func takeBack(from target: OpenFile, header: Data, size: UInt64) throws {
    isKept = true
    // What another has committed meanwhile is not cut off.
    if try target.status().size > size, try target.read(header.count, at: 0) == header {
      try target.truncate(to: size)
      try target.flush()
    }
    isKept = false
  }

  /// The size of a file without what a writer has put behind its end so far.
  ///
  /// The caller holds the file's lock, so nothing is committed meanwhile.
  ///
  /// - Parameter fileKey: Shows that the journal is genuine; nil where no more is wanted than a hint.
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
      // A writer that took its change back in between has cut the file.
      if try file.status().size == size { return size }
    }
  }

  /// The head of a journal: of which file, as it was when the change began.
  private struct Prologue {
    let header: FileHeader
    let headerBytes: Data
    /// Of the file as it was stored, in bytes.
    let size: UInt64
    private let covered: Data
    private let code: Data

    /// Nil where there is none, as after a crash before it was durable: nothing hangs on it then.
    init?(_ file: OpenFile) {
      do {
        let bytes = try file.read(FileHeader.maximumCount + 64, at: 0)
        (header, headerBytes, size, covered, code) = try bytes.withUnsafeBytes { bytes in
          var reader = ByteReader(bytes, name: file.path)
          guard try reader.fixed(8).elementsEqual(magic),
            try reader.integer(UInt16.self) == version
          else { throw AtRestError.damaged("\(file.path) is no journal.") }
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

  /// The header that the journal's change ends with, where it was committed.
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
