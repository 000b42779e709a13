import AtRestFormats

/// An encrypted database that a value of its container opens, so its encryption protects nothing.
package struct OpenedDatabase: Sendable {
  package let database: Locator
  /// The value that opens it, with all its places.
  package let key: KeyCandidate
  /// The name of the format: `SQLCipher 4`, `MMKV`.
  package let format: String
  /// True if the key is made of the value, as of a passphrase.
  package let isPassphrase: Bool

  init(_ database: Locator, _ opening: KeySearch.Opening) {
    self.database = database
    key = opening.candidate
    isPassphrase = opening.file.isPassphrase
    format = opening.file.format
  }
}
