import AtRestCrypto
import Crypto
import Foundation

/// Seals and opens the two boxes of a row: the metadata under a key derived from a class key, the
/// secret under the item's own key. The formats are in `docs/Formats.md`, *Item*.
///
/// The type does not decide access control: see ``ItemReader``.
struct RowBoxes: Sendable {
  let classKeys: ClassKeyCache
  /// The path of the database, for error messages.
  let path: String

  // MARK: Opening

  func openMetadata(of row: ItemRow) throws -> ItemMetadata {
    let (_, accessibility) = try row.info.parts()
    let key = try classKeys.metadataKey(accessibility, generation: row.generation)
    let plaintext = try row.metadata.withUnsafeBytes {
      try GCM.open(
        $0, key: key.bytes.symmetricKey(), context: row.context(.metadata),
        name: "The metadata of item \(row.id) in \(path)")
    }
    return try ItemMetadata(decoding: plaintext)
  }

  /// Returns the contents of a row's secret box: the secret, or the secret sealed with an
  /// application password if the item has one. nil if the item has no secret.
  func openPayload(of row: ItemRow) throws -> SecretBytes? {
    guard row.info.flags.contains(.secret) else { return nil }
    let (_, accessibility) = try row.info.parts()
    let key = try classKeys.wrapKey(accessibility)
    var secret: SecretBytes?
    try row.wrappedKey.withUnsafeBytes { wrappedKey in
      try row.secret.withUnsafeBytes { box in
        secret = try openSealed(
          wrappedKey: wrappedKey, box: box, under: key, entry: row.entry, hash: row.hash)
      }
    }
    return secret
  }

  /// Throws ``AtRestError/Code/damaged`` if the secret of a row was modified. Does not ask the
  /// user.
  func checkPayload(of row: ItemRow) throws {
    _ = try openPayload(of: row)?.count
  }

  /// Returns the secret directly from the columns of a statement, for an item without access
  /// control. nil if the item must be read by an ``ItemReader``.
  func openSecretFast(
    of entry: IndexEntry, hash: ItemHash, from statement: PreparedStatement
  ) throws -> SecretBytes? {
    let (itemClass, accessibility) = try entry.info.parts()
    // The metadata determines whether a key may be exported.
    guard itemClass != .key, entry.info.flags.contains(.secret),
      !entry.info.flags.contains(.accessControl),
      let key = try? classKeys.wrapKey(accessibility)
    else { return nil }
    return try openSealed(
      wrappedKey: statement.bytes(3), box: statement.bytes(4), under: key, entry: entry,
      hash: hash)
  }

  private func openSealed(
    wrappedKey: UnsafeRawBufferPointer, box: UnsafeRawBufferPointer, under key: SecretBox,
    entry: IndexEntry, hash: ItemHash
  ) throws -> SecretBytes {
    try SealedSecret.open(
      wrappedKey: wrappedKey, box: box, wrappedBy: key.bytes,
      context: ItemRow.context(.secret, entry, hash: hash),
      name: "The secret of item \(entry.id) in \(path)")
  }

  // MARK: Sealing

  /// Seals both boxes into a row, the secret under a new item key. Set the row's number, hash,
  /// transaction, group and info first, because the boxes authenticate them.
  ///
  /// - Parameter metadata: The encoded metadata.
  func seal(
    _ row: inout ItemRow, metadata: [UInt8], payload: borrowing SecretBytes?,
    accessibility: Accessibility
  ) throws {
    switch payload {
    case .some(let payload):
      let key = try classKeys.wrapKey(accessibility)
      let sealed = try payload.withUnsafeBytes {
        try SealedSecret(sealing: $0, wrappedBy: key.bytes, context: row.context(.secret))
      }
      row.wrappedKey = sealed.wrappedKey
      row.secret = sealed.box
    case .none:
      row.wrappedKey = Data()
      row.secret = Data()
    }
    let key = try classKeys.metadataKey(accessibility, generation: row.generation)
    row.metadata = try GCM.seal(
      metadata, key: key.bytes.symmetricKey(), context: row.context(.metadata))
  }

  /// Returns the number of bytes of a payload, or nil if there is none.
  static func byteCount(_ payload: borrowing SecretBytes?) -> Int? {
    switch payload {
    case .some(let payload): payload.count
    case .none: nil
    }
  }
}
