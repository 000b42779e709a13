/// An encrypted database that a value of its container opens, so its encryption protects nothing.
package struct OpenedDatabase: Sendable {
  package let database: Locator
  /// The value that opens it, and its place.
  package let key: KeyCandidate
  /// The version of SQLCipher that writes such a file: `SQLCipher 4`.
  package let format: String
  /// True if the key is made of the value, as of a passphrase.
  package let isPassphrase: Bool

  init(_ database: Locator, _ opening: KeySearch.Opening) {
    self.database = database
    key = opening.candidate
    isPassphrase = opening.derivation != nil
    let layout = opening.pages.layout
    format =
      switch (opening.derivation, layout.reserve) {
      case (.version4?, _), (nil, 80): "SQLCipher 4"
      case (.version3?, _): "SQLCipher 3"
      case (.version2?, 16): "SQLCipher 1"
      case (.version2?, _): "SQLCipher 2"
      case (nil, 48): "SQLCipher 2 or 3"
      case (nil, _): "SQLCipher without authentication"
      }
  }
}
