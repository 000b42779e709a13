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
    // The sizes of version 4 with another HMAC are those of no other version, and with a raw key nothing tells 2 from 3.
    format =
      switch (opening.derivation, layout.reserve, layout.pageSize) {
      case (.version4?, _, _), (nil, 80, _): "SQLCipher 4"
      case (.version3?, _, _): "SQLCipher 3"
      case (.version2?, 16, _): "SQLCipher 1"
      case (.version2?, _, _): "SQLCipher 2"
      case (nil, 48, 1024): "SQLCipher 2 or 3"
      default: "SQLCipher"
      }
  }
}
