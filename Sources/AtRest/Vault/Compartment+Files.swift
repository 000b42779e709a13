import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// Values of any size, in constant memory. They are files, however small, so that they can be read in
/// parts.
extension Compartment {
  /// Stores the contents of a file, or what comes through a pipe. The source stays as it is.
  ///
  /// - Returns: How many bytes there were.
  /// - Throws: As `store(_:in:)`; ``AtRestError/Code/notFound`` where the source is missing;
  ///   ``AtRestError/Code/invalidArgument`` for kinds that the keychain alone takes.
  @discardableResult
  public func store(_ source: ByteSource, in record: Record<Data>) throws -> UInt64 {
    let decision = try streamDecision(record)
    return try storeFile(source, record.name, decision)
  }

  private func streamDecision(_ record: Record<Data>) throws -> Decision {
    try Self.checkRecord(record.name)
    guard record.classification.kind.place != .keychain else {
      throw AtRestError.invalid(
        "A \(record.classification.kind) lies in the keychain, and is not stored as a stream.",
        remedy: "Store it as a value.")
    }
    return try vault.decide(
      record.classification, size: vault.policy.keychainLimit + 1, retention: record.retention)
  }

  /// Stores pieces as they come; the value takes its place whole after the last.
  ///
  /// - Throws: What the sequence throws; otherwise as `store(_:in:)`. The value before stands then as
  ///   it was.
  public func store<Pieces: AsyncSequence & Sendable>(
    pieces: Pieces, in record: Record<Data>
  ) async throws where Pieces.Element == Data {
    let decision = try streamDecision(record)
    let (blank, key) = try await keychain.offActor { try head(decision, size: 0) }
    let lock = try vault.files.lockForWriting()
    defer { withExtendedLifetime(lock) {} }
    let fileKey = SecretBox(SecretBytes.random(count: 32))
    let file = try newFile(blank)
    do {
      let count = PieceCount()
      try await files(fileKey, decision.accessibility)
        .write(CountedPieces(base: pieces, count: count), to: file)
      try await keychain.offActor { [head = blank.sized(count.bytes)] in
        try commit(fileKey.bytes, head, key, record.name, decision)
      }
    } catch {
      removeFailed(blank.id, name: record.name)
      throw error
    }
  }

  /// Writes a value out, in constant memory. What is written is plain: it is the destination's to
  /// guard.
  ///
  /// - Throws: As `value(in:)`; a damaged value leaves no file behind.
  public func copy(_ record: Record<Data>, to destination: ByteDestination) throws {
    try use(record.name) { stored, payload in
      guard stored.head.store == .file else {
        return try payload.withUnsafeBytes { try destination.write($0) }
      }
      let files = try files(SecretBox(payload.duplicate()), stored.head.accessibility)
      try openFile(stored) { _ = try files.unprotect(.entry($0), to: destination) }
    }
  }

  /// Opens a value that is a file, to be read at any place, or in pieces: `handle.pieces()`.
  ///
  /// At a lock of the device the handle is refused until the next unlock; the account's logout and the
  /// vault's wipe close it. Opening counts as one use.
  ///
  /// - Throws: As `value(in:)`; ``AtRestError/Code/invalidArgument`` where the value is an item.
  public func open(_ record: Record<Data>) throws -> ProtectedFileHandle {
    let handle = try use(record.name) { stored, payload in
      guard stored.head.store == .file else {
        throw AtRestError.invalid(
          "The value \"\(record.name)\" is an item of the keychain, not a file.",
          remedy: "Read it with value(in:), or store it as a stream.")
      }
      let files = try files(SecretBox(payload.duplicate()), stored.head.accessibility)
      return try openFile(stored) { try files.open($0) }
    }
    vault.watch(handle, of: id)
    return handle
  }
}

/// Written by the task that takes the pieces, read after the last.
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
