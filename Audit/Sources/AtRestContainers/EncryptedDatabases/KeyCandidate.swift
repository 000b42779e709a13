import AtRestSecrets

/// A value of a container that may be the key of an encrypted database.
package struct KeyCandidate: Sendable {
  /// The bytes of the key, or the text that it is made of.
  package let bytes: [UInt8]
  package let locator: Locator
  /// The name of the value, or nil if it has none.
  package let name: String?
  /// The keychain item whose value it is, or nil if it lies in a file.
  package let keychainItem: KeychainItem?
  /// How much speaks for the value being a passphrase. Only the most likely ones can be tried, because each takes a
  /// fraction of a second.
  let likelihood: Int

  /// Creates a candidate.
  ///
  /// - Parameter isNamed: True if the text around it names it a key.
  init(_ bytes: [UInt8], _ item: Item, in keychainItem: KeychainItem?, isNamed: Bool) {
    self.bytes = bytes
    self.keychainItem = keychainItem
    (locator, name) = (item.locator, item.name)
    var points = 0
    if isNamed || name.map(Self.namesKey) ?? false { points += 4 }
    if bytes.count >= 16, Self.isRandom(bytes) { points += 3 }
    if locator.path.hasSuffix(".plist") { points += 1 }
    if bytes.contains(where: ASCII.isBlank) { points -= 2 }
    if bytes.contains(UInt8(ascii: "/")), bytes.contains(UInt8(ascii: ":")) { points -= 3 }
    likelihood = points
  }

  private static let words: Set<String> = [
    "key", "keys", "pass", "password", "passphrase", "passwd", "pwd", "passcode", "pin", "secret",
    "cipher", "crypt", "encryption", "encrypted", "db", "database", "sqlcipher", "sqlite", "token",
  ]

  /// Returns true for a name with a word that keys and passphrases have.
  static func namesKey(_ name: String) -> Bool { Words.split(name).contains(where: words.contains) }

  /// Returns true for hexadecimal digits, Base64 or a UUID, and for bytes that are no text.
  private static func isRandom(_ bytes: [UInt8]) -> Bool {
    let isText = bytes.withUnsafeBufferPointer(ASCII.isPrintableText)
    let digits = bytes.count(where: ASCII.isDigit)
    return !isText
      || digits > 1 && bytes.allSatisfy { ASCII.isAlphanumeric($0) || "+/=-_".utf8.contains($0) }
  }

  /// Returns true if another place of the same bytes says less of their safety. What lies in a file is read by
  /// everyone.
  func isWorse(than other: KeyCandidate) -> Bool {
    if (keychainItem == nil) != (other.keychainItem == nil) { return keychainItem == nil }
    return likelihood == other.likelihood
      ? locator.description < other.locator.description : likelihood > other.likelihood
  }

  /// The candidates, the most likely ones first, in an order that does not depend on that of the walk.
  static func sorted(_ candidates: some Sequence<KeyCandidate>) -> [KeyCandidate] {
    candidates.sorted { left, right in
      left.likelihood == right.likelihood
        ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.likelihood > right.likelihood
    }
  }
}
