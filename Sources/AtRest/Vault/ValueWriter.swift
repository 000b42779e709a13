import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation

/// Stores a value as the policy decided: makes its head, writes its file if it is large, and replaces the
/// item.
struct ValueWriter: Sendable {
  let item: ValueItem
  let decision: StorageDecision
  /// The identity of the value that the new one must replace, empty if there must be no former value, or
  /// nil to replace any value. Another value is ``ValueItem/Replaced``.
  var replaced: Data?
  var needsPasscode = true

  private var compartment: Compartment { item.compartment }
  private var vault: Vault { item.vault }
  private var keychain: Keychain { item.keychain }

  // MARK: Storing

  /// Stores a payload in the item or, if the policy decided so, in a file.
  func write(_ payload: borrowing SecretBytes) throws {
    guard decision.store == .file else { return try writeItem(payload, size: payload.count) }
    try payload.withUnsafeBytes { bytes in
      // No copy is made, because the bytes are only read.
      let data = bytes.baseAddress.map {
        Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: $0), count: bytes.count,
          deallocator: .none)
      }
      try writeFile(.data(data ?? Data()))
    }
  }

  /// Stores a payload in the item.
  ///
  /// - Parameter size: The size of the value in bytes.
  func writeItem(_ payload: borrowing SecretBytes, size: Int) throws {
    let (head, key) = try head(size: UInt64(size))
    try commit(payload, head, under: key)
  }

  /// Stores a value in a file.
  ///
  /// - Returns: The number of bytes.
  @discardableResult
  func writeFile(_ source: ByteSource) throws -> UInt64 {
    let file = try newFile()
    defer { withExtendedLifetime(file) {} }
    return try removingFailed(file) {
      let count = try files(file).protect(source, to: .entry(file.entry, replacing: false)).read
      try commit(file.key.bytes, file.head.sized(count), under: file.further)
      return count
    }
  }

  /// Stores a value in a file, from pieces as they arrive.
  func writeFile<Pieces: AsyncSequence & Sendable>(
    pieces: Pieces
  ) async throws where Pieces.Element == Data {
    let file = try await offActor { try newFile() }
    defer { withExtendedLifetime(file) {} }
    do {
      let count = PieceCount()
      try await files(file).write(CountedPieces(base: pieces, count: count), to: file.entry)
      try await offActor { [head = file.head.sized(count.bytes)] in
        try commit(file.key.bytes, head, under: file.further)
      }
    } catch {
      removeFailed(file.head.id)
      throw error
    }
  }

  // MARK: Files

  /// A file that has no item yet. No purge removes it as long as this value exists.
  private struct NewFile: Sendable {
    let head: StoredValue.Head
    let further: SecretBox?
    let lock: VaultFolder.WriteLock
    let entry: FolderEntry
    let key = SecretBox(SecretBytes.random(count: 32))
  }

  private func newFile() throws -> NewFile {
    let (blank, further) = try head(size: 0)
    let lock = try vault.files.lockForWriting()
    return NewFile(
      head: blank, further: further, lock: lock, entry: try compartment.newFile(blank))
  }

  /// Returns the protected files with the key of a new value, which needs an unlocked store in this
  /// process.
  private func files(_ file: NewFile) throws -> ProtectedFiles {
    try keychain.explainingDirectUse {
      ProtectedFiles(
        keys: try HeldFileKeys(
          file.key, lockedWith: (keychain.keybag, decision.accessibility.keyClass)))
    }
  }

  private func removingFailed<Result>(
    _ file: NewFile, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      removeFailed(file.head.id)
      throw error
    }
  }

  /// Removes the file of a value that could not be stored. If storing failed after the item became
  /// durable, the file stays. If the item cannot be read, the next purge decides.
  private func removeFailed(_ file: Data) {
    do {
      guard try item.stored().head.id != file else { return }
    } catch AtRestError.Code.notFound {
      // No item refers to the file.
    } catch {
      return
    }
    vault.files.remove(file, of: compartment.id)
  }

  // MARK: The item

  /// Returns the head of a new value, and the additional key that the value needs, or nil if it
  /// needs none.
  private func head(size: UInt64) throws -> (head: StoredValue.Head, key: SecretBox?) {
    try vault.checkRuntimeIfDue()
    if needsPasscode { try vault.checkPasscode() }
    let now = decision.retention.isLimited ? try vault.clock.now() : keychain.now
    try check(decision.retention, at: now)
    let kind = decision.classification.kind.name
    guard kind.utf8.count <= StoredValue.kindLimit else {
      throw AtRestError.invalid(
        "A kind's name must have at most \(StoredValue.kindLimit) bytes, not \(kind.utf8.count).",
        remedy: "Choose a shorter one.")
    }
    let further = try compartment.furtherKey(decision.key, storing: true)
    return (
      StoredValue.Head(
        id: RandomBytes.data(count: 16), store: decision.store, key: decision.key,
        sensitivity: decision.sensitivity, accessibility: decision.accessibility,
        subject: decision.classification.subject,
        people: UInt32(clamping: decision.classification.people),
        kind: kind, stored: now,
        expires: decision.retention.expiry(from: now),
        idle: decision.retention.idleSeconds, size: size,
        keyID: further?.id ?? StoredValue.Head.noKeyID),
      further?.key
    )
  }

  private func check(_ retention: Retention, at now: Date) throws {
    do {
      try retention.check(at: now)
    } catch let error as AtRestError {
      guard now > keychain.now, (try? retention.check(at: keychain.now)) != nil else { throw error }
      throw AtRestError(
        error.code,
        "\(error.message) The vault has seen the time \(now.ISO8601Format()), which is "
          + "ahead of the system's clock.",
        remedy: "If the system's clock is right now, call trustSystemClock().")
    }
  }

  /// Stores the item that holds the value, in place of the former item.
  private func commit(
    _ payload: borrowing SecretBytes, _ head: StoredValue.Head, under key: SecretBox?
  ) throws {
    let stored = StoredValue(
      head: head, lastUse: head.stored,
      usesLeft: decision.retention.uses.map { UInt32($0) } ?? StoredValue.unlimited,
      body: try StoredValue.seal(payload, head, in: item.place, under: key))
    let former: Data?
    do {
      former = try keychain.transaction { () throws -> Data? in
        try compartment.checkLoggedIn()
        if head.key == .passphrase { try compartment.checkPassphrase(head) }
        let former = try self.former()
        if let replaced, replaced != former?.id ?? Data() { throw ValueItem.Replaced() }
        if former?.store == .database { throw item.isDatabaseError }
        try item.set(stored, protection: .accessible(decision.accessibility))
        return former?.store == .file ? former?.id : nil
      }
    } catch AtRestError.Code.loggedOut where head.key == .composite {
      // The salt may have been created after the logout.
      try keychain.transaction { try vault.items.delete(compartment.id) }
      throw compartment.loggedOutError
    }
    item.removeFile(former)
  }

  private func former() throws -> StoredValue.Head? {
    do {
      let former = try item.stored()
      return former.isSpent ? nil : former.head
    } catch let error as AtRestError where error.refusal == .notFound || error.refusal == .damaged {
      // The next purge removes the file that a damaged value leaves.
      return nil
    }
  }
}

/// The number of bytes so far. The task that consumes the pieces writes it; it is read only after
/// the last piece.
private final class PieceCount: @unchecked Sendable { var bytes: UInt64 = 0 }

private struct CountedPieces<Base: AsyncSequence>: AsyncSequence where Base.Element == Data {
  let base: Base
  let count: PieceCount

  func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), count: count)
  }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let count: PieceCount

    mutating func next() async throws -> Data? {
      guard let piece = try await base.next() else { return nil }
      count.bytes += UInt64(piece.count)
      return piece
    }
  }
}
