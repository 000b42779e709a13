/// The keyed hashes of all attributes of an item, which show what the item matches while it is
/// locked.
struct ItemTerms {
  /// The terms by which the index finds the item.
  private(set) var indexed: [UInt64] = []
  private var others: [UInt64] = []

  init() {}

  mutating func append(_ term: UInt64, isIndexed: Bool) {
    if isIndexed { indexed.append(term) } else { others.append(term) }
  }

  func contains(_ term: UInt64) -> Bool { indexed.contains(term) || others.contains(term) }

  /// The encoded terms: the number of indexed terms, the indexed terms, the other terms.
  var words: [UInt64] { [UInt64(indexed.count)] + indexed + others }

  /// Decodes ``words``. The result is nil if the words are malformed.
  init?(_ words: [UInt64]) {
    guard let count = words.first, count < words.count else { return nil }
    indexed = Array(words.dropFirst().prefix(Int(count)))
    others = Array(words.dropFirst(1 + Int(count)))
  }
}
