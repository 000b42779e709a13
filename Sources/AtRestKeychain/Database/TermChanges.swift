/// The items that a term names now (true) or no longer names (false), by their keys.
struct TermChanges {
  // Most terms name one item, which needs no dictionary.
  private var first: (key: UInt64, isNamed: Bool)
  private var others: [UInt64: Bool] = [:]

  init(_ key: UInt64, _ isNamed: Bool) { first = (key, isNamed) }

  subscript(_ key: UInt64) -> Bool? { key == first.key ? first.isNamed : others[key] }

  /// - Returns: True if the item is new here.
  mutating func set(_ key: UInt64, _ isNamed: Bool) -> Bool {
    if key == first.key {
      first.isNamed = isNamed
      return false
    }
    return others.updateValue(isNamed, forKey: key) == nil
  }

  func forEach(_ body: (_ key: UInt64, _ isNamed: Bool) throws -> Void) rethrows {
    try body(first.key, first.isNamed)
    for (key, isNamed) in others { try body(key, isNamed) }
  }
}
