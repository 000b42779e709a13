import AtRestCrypto
import Foundation

/// The contents of an open file, and the pending change to them.
///
/// Not safe to use from several threads: ``ProtectedFileHandle`` admits one thread at a time.
struct OpenContents: ~Copyable {
  /// The place of a changed chunk until the change is committed.
  private struct Pending {
    var version: VersionTable.Version
    /// The position in the journal, or nil if the chunk is in the file itself, beyond the file's
    /// former end.
    var journalPosition: UInt64?
  }

  private var stored: StoredFile
  private let journal: RedoJournal?
  private var cache = ChunkCache()
  private var pending: [UInt64: Pending] = [:]
  private var hasJournalBegun = false
  /// True after an attempted commit. The records of that commit stay in the journal, and applying
  /// them would overwrite chunks that are written to the file itself later.
  private var isSpilledToJournal = false
  /// The salt for chunks that this handle seals, the cipher derived from it, and the next counter.
  private var session: (salt: Data, cipher: ChunkCipher, next: UInt64)?
  /// True if a committed change could not be applied. The next opening applies it.
  private var isBroken = false
  /// The error that lost a part of the pending change, or nil. If it is set, the rest of the change
  /// must not be committed either.
  private var loss: (any Error)?

  /// The size of the contents in bytes, including the pending change.
  private(set) var size: UInt64
  private var layout: ChunkLayout { stored.layout }

  init(_ stored: StoredFile, journal: RedoJournal?) {
    self.stored = stored
    self.journal = journal
    size = stored.size
  }

  var header: FileHeader { stored.header }
  var secrets: FileSecrets { stored.secrets }
  var hasChanges: Bool { size != stored.size || !pending.isEmpty || !cache.dirty.isEmpty }

  // MARK: Reading

  /// Reads into memory, and returns the number of bytes read. It is smaller than requested only at
  /// the end of the file.
  mutating func read(into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    // The key is checked before the cache is read: while the file's class is locked, even cached
    // chunks must not be returned.
    _ = try secrets.key()
    try checkWhole()
    // A handle with a journal is the file's only writer, so it needs no lock to read.
    guard journal == nil else { return try readUnlocked(into: bytes, at: offset) }
    _ = try stored.file.lock(LOCK_SH)
    defer { stored.file.unlock() }
    try refresh()
    return try readUnlocked(into: bytes, at: offset)
  }

  /// Returns the current size, including changes by other handles.
  mutating func currentSize() throws -> UInt64 {
    _ = try secrets.key()
    guard journal == nil else { return size }
    _ = try stored.file.lock(LOCK_SH)
    defer { stored.file.unlock() }
    try refresh()
    return size
  }

  private mutating func refresh() throws {
    guard let now = try stored.changed() else { return }
    stored = now
    size = now.size
    cache.removeAll()
  }

  private mutating func readUnlocked(
    into bytes: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws -> Int {
    guard offset < size else { return 0 }
    let count = Int(min(UInt64(bytes.count), size - offset))
    var done = 0
    while done < count {
      let (chunk, begin) = (offset + UInt64(done)).quotientAndRemainder(
        dividingBy: layout.chunkSize)
      let entry = try load(chunk)
      let part = min(count - done, entry.count - Int(begin))
      guard part > 0 else { throw stored.damaged(chunk) }
      UnsafeMutableRawBufferPointer(rebasing: bytes[done..<done + part]).copyPlaintext(
        from: UnsafeRawBufferPointer(rebasing: entry.contents[Int(begin)..<Int(begin) + part]))
      done += part
    }
    return done
  }

  /// Loads a chunk into memory.
  private mutating func load(_ chunk: UInt64) throws -> ChunkCache.Entry {
    if let entry = cache.entry(chunk) { return entry }
    let entry = try room()
    if let pending = pending[chunk] {
      entry.count = Int(layout.chunkSize)
      try read(chunk, pending, into: entry.contents)
    } else {
      // The stored chunk has its former size. The caller applies a change of the size to the chunk
      // in memory.
      entry.count = layout.count(of: chunk, size: stored.size)
      try stored.read(chunk: chunk, into: entry.contents)
    }
    entry.isDirty = false
    cache.insert(entry, for: chunk)
    return entry
  }

  private func read(
    _ chunk: UInt64, _ pending: Pending, into plaintext: UnsafeMutableRawBufferPointer
  ) throws {
    let count = plaintext.count + ChunkCipher.overhead
    let cipher = try stored.secrets.cipher(salt: pending.version.salt)
    try withUnsafeTemporaryAllocation(
      byteCount: ChunkCipher.headroom + count, alignment: 16
    ) { sealed in
      let body = UnsafeMutableRawBufferPointer(rebasing: sealed[ChunkCipher.headroom...])
      let got =
        if let position = pending.journalPosition, let journal {
          try journal.read(body, at: position)
        } else {
          try stored.file.read(body, at: layout.position(of: chunk))
        }
      let place = ChunkCipher.Place(
        counter: pending.version.counter, index: chunk, isLast: false)
      guard got == count, cipher.open(sealed, place: place, into: plaintext) else {
        throw stored.damaged(chunk)
      }
    }
  }

  /// Returns memory for one more chunk. If the cache is full, it reuses the memory of another
  /// chunk.
  private mutating func room() throws -> ChunkCache.Entry {
    guard cache.isFull else {
      return ChunkCache.Entry(capacity: Int(layout.chunkSize), count: 0)
    }
    if let entry = cache.evictClean() { return entry }
    try sealDirty()
    return cache.evictClean() ?? ChunkCache.Entry(capacity: Int(layout.chunkSize), count: 0)
  }

  // MARK: Changing

  /// Writes bytes. A gap between the end of the file and the offset is filled with zeros.
  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    try checkWritable()
    guard bytes.count > 0 else { return }
    let (end, isTooLarge) = offset.addingReportingOverflow(UInt64(bytes.count))
    guard !isTooLarge, end <= UInt64(Int64.max) / 2 else {
      throw AtRestError.invalid(
        "\(stored.file.path) cannot have a byte at offset \(offset).", remedy: "Use a smaller one."
      )
    }
    let before = size
    var done = 0
    do {
      if offset > size { try extend(to: offset) }
      try write(bytes, at: offset, &done)
    } catch {
      if done > 0 || size != before { loss = error }
      throw error
    }
  }

  private mutating func write(
    _ bytes: UnsafeRawBufferPointer, at offset: UInt64, _ done: inout Int
  ) throws {
    while done < bytes.count {
      let (chunk, begin) = (offset + UInt64(done)).quotientAndRemainder(
        dividingBy: layout.chunkSize)
      let part = min(bytes.count - done, Int(layout.chunkSize - begin))
      let entry = try chunkToChange(chunk, isOverwritten: part == Int(layout.chunkSize))
      let from = UnsafeRawBufferPointer(rebasing: bytes[done..<done + part])
      UnsafeMutableRawBufferPointer(rebasing: entry.bytes[Int(begin)..<Int(begin) + part])
        .copyPlaintext(from: from)
      entry.count = max(entry.count, Int(begin) + part)
      done += part
      size = max(size, offset + UInt64(done))
    }
  }

  /// Cuts the contents to a size, or extends them with zeros.
  mutating func truncate(to newSize: UInt64) throws {
    try checkWritable()
    guard newSize != size else { return }
    guard newSize <= UInt64(Int64.max) / 2 else {
      throw AtRestError.invalid(
        "\(stored.file.path) cannot have \(newSize) bytes.", remedy: "Use a smaller size.")
    }
    guard newSize < size else {
      let before = size
      do { return try extend(to: newSize) } catch {
        if size != before { loss = error }
        throw error
      }
    }
    let last = layout.lastChunk(size: newSize)
    let entry = try chunkToChange(last, isOverwritten: newSize == 0)
    entry.count = layout.count(of: last, size: newSize)
    size = newSize
    cache.removeAll(after: last)
    pending = pending.filter { $0.key <= last }
  }

  private mutating func extend(to newSize: UInt64) throws {
    while size < newSize {
      let chunk = layout.chunk(at: size)
      let entry = try chunkToChange(chunk, isOverwritten: false)
      let end = Int(min(layout.chunkSize, newSize - chunk * layout.chunkSize))
      entry.fill(to: end)
      size = chunk * layout.chunkSize + UInt64(end)
    }
  }

  /// Returns the memory of a chunk that is about to be changed, and marks the chunk as dirty.
  private mutating func chunkToChange(
    _ chunk: UInt64, isOverwritten: Bool
  ) throws -> ChunkCache.Entry {
    let isNew = isOverwritten || chunk * layout.chunkSize >= size
    if isNew, cache.entry(chunk) == nil {
      let entry = try room()
      entry.count = 0
      entry.isDirty = true
      cache.insert(entry, for: chunk)
      return entry
    }
    let entry = try load(chunk)
    entry.isDirty = true
    return entry
  }

  private mutating func checkWritable() throws {
    guard journal != nil else {
      throw AtRestError(
        .notPermitted, "The handle of \(stored.file.path) is for reading.",
        remedy: "Open the file for updating.")
    }
    guard !isBroken else {
      throw AtRestError(
        .system, "\(stored.file.path) has a committed change that could not be applied.",
        remedy: "Free some disk space, and open it again; this applies the change.")
    }
    try checkWhole()
    _ = try secrets.key()
    // The journal begins before there is anything to seal, because no key is available after a
    // lock.
    try beginJournal()
  }

  private func checkWhole() throws {
    guard let loss else { return }
    throw AtRestError(
      .system, "A part of a change of \(stored.file.path) was lost, so none of it is kept.",
      remedy: "Open the file again, and repeat the writes since the last synchronize().",
      cause: loss)
  }

  // MARK: Sealing

  /// Seals the chunks that are only in memory, so their memory can be released.
  ///
  /// Sealing needs no class key, so a handle can still seal its chunks when its class was just
  /// locked.
  private mutating func sealDirty(lastChunk: UInt64? = nil) throws {
    let dirty = cache.dirty
    guard !dirty.isEmpty, let journal else { return }
    let capacity = Int(layout.sealedSize)
    let sealed = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
    defer { sealed.deallocate() }
    for (chunk, entry) in dirty {
      guard let (salt, cipher, counter) = session else { return }
      // The counter must not be used again, even if the write fails.
      session?.next = counter + 1
      // Before the commit, every chunk is sealed in full size, because the last one may still grow.
      let isLast = chunk == lastChunk
      let count = isLast ? entry.count : Int(layout.chunkSize)
      entry.fill(to: count)
      let bytes = UnsafeMutableRawBufferPointer(
        rebasing: sealed[..<(count + ChunkCipher.overhead)])
      try cipher.seal(
        UnsafeRawBufferPointer(rebasing: entry.bytes[..<count]),
        place: ChunkCipher.Place(counter: counter, index: chunk, isLast: isLast), into: bytes)
      let position = layout.position(of: chunk)
      var inJournal: UInt64?
      if position >= stored.storedSize && lastChunk == nil && !isSpilledToJournal {
        // Nothing is stored at this position yet. If the change is not finished, recovery removes
        // the bytes.
        if !journal.isDurable { try journal.makeDurable() }
        try stored.file.write(UnsafeRawBufferPointer(bytes), at: position)
      } else {
        inJournal = try journal.append(UnsafeRawBufferPointer(bytes), for: position)
      }
      pending[chunk] = Pending(
        version: VersionTable.Version(salt: salt, counter: counter), journalPosition: inJournal)
      entry.isDirty = false
    }
  }

  private mutating func beginJournal() throws {
    if session == nil {
      let salt = RandomBytes.data(count: 16)
      session = (salt, try secrets.cipher(salt: salt), 0)
    }
    guard !hasJournalBegun, let journal else { return }
    let key = try secrets.key()
    try journal.reset(header: stored.headerBytes, size: stored.storedSize, fileKey: key.bytes)
    hasJournalBegun = true
  }

  /// If the file's class is locked, seals the pending change, and removes plaintext and keys from
  /// memory.
  mutating func lock() {
    guard !secrets.isUsable else { return }
    do { try sealDirty() } catch { loss = error }
    cache.removeAll()
    session = nil
    secrets.forget()
  }

  // MARK: Committing

  /// Makes the change durable. Every later opening reads all of it.
  mutating func commit() throws {
    try checkWhole()
    guard hasChanges, let journal else { return }
    try checkWritable()
    guard let present = stored.file.entry?.status,
      present.isSameFile(as: try stored.file.status())
    else {
      throw AtRestError(
        .notFound, "\(stored.file.path) was replaced or removed while it was open.",
        remedy: "Open it again, and repeat the change.")
    }
    let last = layout.lastChunk(size: size)
    let formerLast = layout.lastChunk(size: stored.size)
    // The former and the new last chunk both record whether they are the last. The new one is
    // loaded second, because loading a chunk may seal other chunks.
    if formerLast < last, pending[formerLast] == nil { try load(formerLast).isDirty = true }
    let entry = try load(last)
    entry.count = layout.count(of: last, size: size)
    entry.isDirty = true
    isSpilledToJournal = true
    try sealDirty(lastChunk: last)
    do {
      try end(last, journal)
    } catch {
      // The chunk was sealed as the last one, but may not be the last when the commit is repeated.
      entry.isDirty = true
      throw error
    }
    pending = [:]
    hasJournalBegun = false
    isSpilledToJournal = false
  }

  /// Writes the table and the header after the chunks of the change, and applies the change.
  private mutating func end(_ last: UInt64, _ journal: RedoJournal) throws {
    let key = try secrets.key()
    let versions = pending.mapValues(\.version)
    let table = stored.table.replacing(versions, count: last + 1)
    var header = stored.header
    guard header.generation < .max else {
      throw AtRestError.invalid(
        "\(stored.file.path) has reached the largest number of changes in place.",
        remedy: "Write it again with atrest unprotect and atrest protect.")
    }
    header.generation += 1
    let box = try table.sealed(fileKey: key.bytes, header: header)
    guard box.count <= VersionTable.maximumCount else {
      throw AtRestError.invalid(
        "\(stored.file.path) was changed in too many places.",
        remedy: "Write it again with atrest unprotect and atrest protect.")
    }
    header.tableCount = box.count
    let headerBytes = header.encoded(fileKey: key.bytes)
    let end = layout.end(size: size)
    let finalSize = end + UInt64(box.count)
    _ = try box.withUnsafeBytes { try journal.append($0, for: end) }
    _ = try headerBytes.withUnsafeBytes { try journal.append($0, for: 0) }
    if finalSize > stored.storedSize {
      // Space is reserved first, so a full disk is reported before the change is committed.
      try journal.makeDurable()
      do {
        try stored.file.reserve(from: stored.storedSize, to: finalSize)
      } catch {
        if pending.values.allSatisfy({ $0.journalPosition != nil }) {
          try? stored.file.truncate(to: stored.storedSize)
        }
        throw error
      }
    }
    guard try stored.file.read(stored.headerBytes.count, at: 0) == stored.headerBytes else {
      throw AtRestError(
        .busy, "\(stored.file.path) was changed elsewhere, under a second name or without a lock.",
        remedy: "Open it again, and repeat the change.")
    }
    try journal.commit(finalSize: finalSize)
    isBroken = true
    try journal.apply(to: stored.file)
    isBroken = false
    stored.adopt(
      header: header, bytes: headerBytes, table: table, size: size, storedSize: finalSize)
  }

  /// Reverts changes that were not committed.
  mutating func rollBack() {
    guard !isBroken, let journal, journal.isDurable, hasJournalBegun else { return }
    try? journal.takeBack(from: stored.file, header: stored.headerBytes, size: stored.storedSize)
  }
}
