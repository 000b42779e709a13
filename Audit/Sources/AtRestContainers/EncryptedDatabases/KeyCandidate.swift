import AtRestSecrets

/// A value of a container that may be the key of an encrypted database.
package struct KeyCandidate: Sendable {
  /// The bytes of the key, or the text that it is made of.
  package let bytes: [UInt8]
  package let locator: Locator
  /// The name of the value, or nil if it has none.
  package let name: String?
  /// The keychain item whose value it is, or nil if it lies in a file.
  package var keychainItem: KeychainItem? { owner?.item }
  private let owner: Owner?
  /// How much speaks for the value being a passphrase. Only the most likely ones can be tried, because each takes a
  /// fraction of a second.
  let likelihood: Int
  /// True if the value is in space that its format treats as free.
  package let isDeleted: Bool
  /// Other places of the same bytes, each of which is as good for whoever looks for the key.
  package private(set) var others: [KeyCandidate] = []

  /// The maximum numbers of other places that are kept, in all and in one file.
  private static let placeLimit = (all: 16, inFile: 4)

  /// A keychain item. Few candidates have one, and its many attributes are not to be moved with each of the others.
  final class Owner: Sendable {
    let item: KeychainItem

    init(_ item: KeychainItem) { self.item = item }
  }

  /// Creates a candidate.
  ///
  /// - Parameter isNamed: True if its name or the text around it calls it a key.
  init(_ bytes: [UInt8], _ item: Item, in owner: Owner?, isNamed: Bool) {
    self.bytes = bytes
    self.owner = owner
    (locator, name, isDeleted) = (item.locator, item.name, item.state == .deleted)
    var points = 0
    if isNamed { points += 4 }
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
    if (owner == nil) != (other.owner == nil) { return owner == nil }
    if isDeleted != other.isDeleted { return other.isDeleted }
    if likelihood != other.likelihood { return likelihood > other.likelihood }
    return locator.path == other.locator.path
      ? locator.description < other.locator.description : locator.path < other.locator.path
  }

  /// The candidate of the same bytes with the places of both. The worst place comes first.
  func joined(with other: KeyCandidate) -> KeyCandidate {
    // A word of a log is at a million places.
    let isKept = other.isWorse(than: self)
    let near = others.count { $0.locator.path == other.locator.path }
    if !isKept, near >= Self.placeLimit.inFile || others.count >= Self.placeLimit.all {
      return self
    }
    var (first, second) = isKept ? (other, self) : (self, other)
    let places = second.others
    second.others = []
    for place in [second] + places
    where first.others.count < Self.placeLimit.all
      && !([first] + first.others).contains(where: { $0.isSamePlace(as: place) })
    {
      first.others.append(place)
    }
    return first
  }

  private func isSamePlace(as other: KeyCandidate) -> Bool {
    guard locator.path == other.locator.path, keychainItem == other.keychainItem else {
      return false
    }
    let (own, others) = (locator.withoutOffset.steps, other.locator.withoutOffset.steps)
    return own.starts(with: others) || others.starts(with: own)
  }

  /// The candidates, the most likely ones first, in an order that does not depend on that of the walk.
  static func sorted(_ candidates: some Sequence<KeyCandidate>) -> [KeyCandidate] {
    let candidates = Array(candidates)
    return order(candidates).map { candidates[$0] }
  }

  /// The bytes of the candidates in the order of ``sorted(_:)``.
  static func sortedBytes(_ candidates: some Sequence<KeyCandidate>) -> [[UInt8]] {
    let candidates = Array(candidates)
    return order(candidates).map { candidates[$0].bytes }
  }

  /// A candidate in a sort. The sort moves it many times, so it holds nothing but numbers.
  private struct Rank {
    let likelihood: Int
    /// The first bytes as a number.
    let start: UInt64
    let index: Int
  }

  private static func order(_ candidates: [KeyCandidate]) -> [Int] {
    var ranks = candidates.indices.map { index in
      let start = candidates[index].bytes.prefix(8)
      let number = start.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } << (8 * (8 - start.count))
      return Rank(likelihood: candidates[index].likelihood, start: number, index: index)
    }
    ranks.sort { left, right in
      if left.likelihood != right.likelihood { return left.likelihood > right.likelihood }
      if left.start != right.start { return left.start < right.start }
      return candidates[left.index].bytes.lexicographicallyPrecedes(candidates[right.index].bytes)
    }
    return ranks.map(\.index)
  }
}
