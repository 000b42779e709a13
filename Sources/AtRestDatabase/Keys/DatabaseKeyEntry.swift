import Foundation

/// A database file for which an item or a key file has the key: see `EncryptedDatabase.keys(of:)`.
public struct DatabaseKeyEntry: Hashable, Sendable {
  /// The salt of the file: its first 16 bytes, unless its header is in plaintext.
  public let salt: Data
  /// The name that the file had when its key was made, without its folder.
  public let name: String
  /// True if a `rekey` ended before the file was replaced or before the former key was removed. The next
  /// opening of the database finishes it.
  public let isUnfinished: Bool

  init(_ record: DatabaseKeyRecord) {
    (salt, name, isUnfinished) = (record.salt, record.name, record.isReplacement)
  }
}
