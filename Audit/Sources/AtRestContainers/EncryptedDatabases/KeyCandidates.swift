import AtRestFormats
import Synchronization

/// Collects the values of a walk that may be keys. Thread-safe.
final class KeyCandidates: Sendable {
  /// The maximum number of keys of 32 bytes, of those of 16, and of passphrases. The most likely ones are kept.
  private static let limit = (keys: 200_000, shortKeys: 200_000, passphrases: 50_000)
  /// The size in bytes of a short key, and that of the shortest text that encodes one.
  private static let shortKeySize = 16
  private static let shortestEncoded = 22
  /// The maximum size in bytes of a value in which keys are searched for.
  private static let textLimit = 64 << 10
  private static let passphraseSizes = 4...128

  private let found = Mutex(
    (
      keys: [[UInt8]: KeyCandidate](), shortKeys: [[UInt8]: KeyCandidate](),
      passphrases: [[UInt8]: KeyCandidate](),
      /// The numbers of values beyond the limits.
      dropped: (keys: 0, passphrases: 0)
    ))

  /// The values of 32 bytes, each once.
  var keys: [KeyCandidate] {
    found.withLock { KeyCandidate.sorted($0.keys.values) }
  }

  /// The values that may be passphrases, each once, the most likely ones first.
  var passphrases: [KeyCandidate] {
    found.withLock { KeyCandidate.sorted($0.passphrases.values) }
  }

  /// All values, each once, for files whose key may have any size.
  var values: [KeyCandidate] {
    found.withLock { found in
      let all = found.passphrases.merging(found.keys) { known, _ in known }
        .merging(found.shortKeys) { known, _ in known }
      return KeyCandidate.sorted(all.values)
    }
  }

  /// The numbers of values that were dropped because there are too many.
  var dropped: (keys: Int, passphrases: Int) { found.withLock { $0.dropped } }

  /// Takes the values of a keychain into account.
  func look(at items: [KeychainItem]) {
    for item in items {
      guard case .bytes(let bytes) = item.value else { continue }
      let name = [item.service, item.account, item.label].compactMap(\.self).joined(separator: " ")
      look(at: Item(item.locator, name: name, .bytes(bytes)), in: KeyCandidate.Owner(item))
    }
  }

  func look(at item: Item) { look(at: item, in: nil) }

  private func look(at item: Item, in owner: KeyCandidate.Owner?) {
    let value = Value(item, owner)
    switch item.content {
    case .text(let text):
      guard text.utf8.count <= Self.textLimit else { return }
      look(inText: Array(text.utf8), value)
    case .bytes(let bytes):
      // A small file may be nothing but a key.
      if item.isRaw, bytes.count > Self.passphraseSizes.upperBound { return }
      guard bytes.count <= Self.textLimit else { return }
      addKey(bytes, value)
      addPassphrase(bytes, value)
      // The values in a file are visited one by one.
      if !item.isRaw { look(inEncoded: bytes, value) }
    }
  }

  /// The value in which a candidate is found.
  private struct Value {
    private let item: Item
    private let owner: KeyCandidate.Owner?
    /// True if the name of the value calls it a key.
    private let isNamed: Bool

    init(_ item: Item, _ owner: KeyCandidate.Owner?) {
      self.item = item
      self.owner = owner
      isNamed = item.name.map(KeyCandidate.namesKey) ?? false
    }

    func candidate(_ bytes: [UInt8], isNamed: Bool = false) -> KeyCandidate {
      KeyCandidate(bytes, item, in: owner, isNamed: isNamed || self.isNamed)
    }
  }

  private func look(inText text: [UInt8], _ value: Value) {
    addPassphrase(text, value)
    if text.count == SQLCipherFile.keySize { addKey(text, value) }
    look(inEncoded: text, value)
    // `PRAGMA key = 'hunter2'`, `password=hunter2`
    guard text.count > Self.passphraseSizes.lowerBound, text.count <= 4096,
      text.contains(where: "'\"=".utf8.contains),
      KeyCandidate.namesKey(String(decoding: text, as: UTF8.self))
    else { return }
    for mark in "'\"".utf8 {
      let parts = text.split(separator: mark, omittingEmptySubsequences: false)
      for index in stride(from: 1, to: parts.count, by: 2) {
        addPassphrase(Array(parts[index]), value, isNamed: true)
      }
    }
    for pair in text.split(whereSeparator: { ASCII.isBlank($0) || "&;,".utf8.contains($0) }) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
      if sides.count == 2 { addPassphrase(Array(sides[1]), value, isNamed: true) }
    }
  }

  /// Looks for a key in hexadecimal digits, Base64 or a list of numbers, also in the middle of other text.
  private func look(inEncoded bytes: [UInt8], _ value: Value) {
    guard bytes.count >= Self.shortestEncoded else { return }
    for run in EncodedRun.candidates(in: bytes, limit: 0).runs {
      if run.bytes.count == Self.shortKeySize {
        let candidate = value.candidate(run.bytes)
        found.withLock {
          $0.dropped.keys += Self.add(candidate, to: &$0.shortKeys, limit: Self.limit.shortKeys)
        }
      } else {
        addKey(run.bytes, value)
      }
    }
  }

  /// Adds a key of 32 bytes, or one with the salt of the file behind it.
  private func addKey(_ bytes: [UInt8], _ value: Value) {
    let key = Array(bytes.prefix(SQLCipherFile.keySize))
    guard bytes.count == key.count || bytes.count == key.count + SQLCipherLayout.saltSize,
      key.count == SQLCipherFile.keySize
    else { return }
    let candidate = value.candidate(key)
    found.withLock {
      $0.dropped.keys += Self.add(candidate, to: &$0.keys, limit: Self.limit.keys)
    }
    // SQLCipher takes bytes that an application gives it for a passphrase.
    addPassphrase(bytes, value)
  }

  private func addPassphrase(_ bytes: [UInt8], _ value: Value, isNamed: Bool = false) {
    guard Self.passphraseSizes.contains(bytes.count) else { return }
    let candidate = value.candidate(bytes, isNamed: isNamed)
    found.withLock {
      $0.dropped.passphrases += Self.add(
        candidate, to: &$0.passphrases, limit: Self.limit.passphrases)
    }
  }

  /// Adds a candidate, and returns how many were dropped for it.
  private static func add(
    _ candidate: KeyCandidate, to all: inout [[UInt8]: KeyCandidate], limit: Int
  ) -> Int {
    if let known = all[candidate.bytes] {
      all[candidate.bytes] = known.joined(with: candidate)
      return 0
    }
    all[candidate.bytes] = candidate
    // Some are dropped at once, so that a long log takes no longer for each line.
    guard all.count >= limit + limit / 4 else { return 0 }
    let dropped = KeyCandidate.sortedBytes(all.values).dropFirst(limit)
    for bytes in dropped { all[bytes] = nil }
    return dropped.count
  }
}
