import AtRestFormats

/// An encrypted database, file or archive that a value of its container opens, so its encryption protects nothing.
package struct OpenedDatabase: Sendable {
  package enum Kind: String, Sendable {
    case database, file, archive
  }

  package let database: Locator
  package let kind: Kind
  /// The value that opens it, with all its places.
  package let key: KeyCandidate
  /// The name of the format: `SQLCipher 4`, `MMKV`, `OpenSSL`.
  package let format: String
  /// True if the key is made of the value, as of a passphrase.
  package let isPassphrase: Bool

  init(_ database: Locator, _ opening: KeySearch.Opening) {
    self.database = database
    key = opening.candidate
    isPassphrase = opening.file.isPassphrase
    format = opening.file.format
    kind =
      switch opening.file.contents {
      case .database, .store, .box: .database
      case .file: .file
      case .archive: .archive
      }
  }
}
