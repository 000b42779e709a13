import AtRestCrypto
import AtRestFiles
import AtRestKeychain
import Foundation

/// Values of any size, handled in constant memory. Such values are always stored as files, however
/// small, so that they can be read in parts.
extension Compartment {
  /// Stores the contents of a file or of a pipe. The source is not changed.
  ///
  /// - Returns: The number of bytes stored.
  /// - Throws: The errors of `store(_:in:)`; ``AtRestError/Code/notFound`` if the source is
  ///   missing; ``AtRestError/Code/invalidArgument`` for kinds that only the keychain stores.
  @discardableResult
  public func store(_ source: ByteSource, in record: VaultRecord<Data>) throws -> UInt64 {
    try streamWriter(of: record).writeFile(source)
  }

  private func streamWriter(of record: VaultRecord<Data>) throws -> ValueWriter {
    try Self.check(record.name, "A record's name")
    try PasswordNames.check(record)
    guard record.classification.kind.place != .keychain else {
      throw AtRestError.invalid(
        "\(record.classification.kind.withArticle) is a keychain item and cannot be stored as a stream.",
        remedy: "Store it as a value, with store(_:in:).")
    }
    return try writer(of: record, size: vault.policy.keychainLimit + 1)
  }

  /// Stores a value from pieces as they arrive. After the last piece, the new value replaces the
  /// former one as a whole.
  ///
  /// - Throws: The errors of the sequence and of `store(_:in:)`. If the call throws, the former
  ///   value is unchanged.
  public func store<Pieces: AsyncSequence & Sendable>(
    pieces: Pieces, in record: VaultRecord<Data>
  ) async throws where Pieces.Element == Data {
    try await streamWriter(of: record).writeFile(pieces: pieces)
  }

  /// Writes a value to a destination, in constant memory. The output is plaintext, and the caller
  /// must protect it.
  ///
  /// A use is counted before the output begins, even if the output fails.
  ///
  /// - Throws: The errors of `value(in:)`. A damaged value leaves no file behind.
  public func copy(_ record: VaultRecord<Data>, to destination: ByteDestination) throws {
    // The use is counted before the first byte leaves.
    let reader = reader(record.name)
    try reader.use(countingFirst: true) { stored, payload in
      guard stored.head.store == .file else {
        return try payload.withUnsafeBytes { try destination.write($0) }
      }
      try reader.withFile(of: stored, payload) {
        _ = try $0.unprotect(.entry($1), to: destination)
      }
    }
  }

  /// Opens a value that is stored as a file, to read it at any offset, or in pieces with
  /// `handle.pieces()`.
  ///
  /// After the device is locked, the handle throws until the next unlock, or, in a process that reads
  /// values through `atrest-agent`, until the value is opened again. A logout of the account,
  /// a wipe of the vault and a purge after the value has expired close the handle. Opening counts as one use.
  ///
  /// - Throws: The errors of `value(in:)`; ``AtRestError/Code/invalidArgument`` if the value is a
  ///   keychain item.
  public func open(_ record: VaultRecord<Data>) throws -> ProtectedFileHandle {
    var (file, isLimited) = (Data(), false)
    let reader = reader(record.name)
    let handle = try reader.use { stored, payload in
      file = stored.head.id
      isLimited = stored.usesLeft != StoredValue.unlimited
      guard stored.head.store == .file else {
        throw AtRestError.invalid(
          "The value \"\(record.name)\" is a keychain item, not a file.",
          remedy: "Read it with value(in:), or store it as a stream.")
      }
      return try reader.withFile(of: stored, payload) { try $0.open($1) }
    }
    vault.watch(handle, of: id, file: file)
    if !isLimited {
      // The value may have expired, or the account logged out, before the handle was watched.
      do {
        _ = try reader.item.find()
      } catch {
        handle.discard()
        throw error
      }
    }
    return handle
  }
}
