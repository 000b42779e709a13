/// The changes of one term, by item key: true if the item now has the term, false if it no longer
/// has it.
struct TermChanges {
  // Most terms have one item, for which no dictionary is needed.
  private var first: (key: UInt64, isNamed: Bool)
  private var others: [UInt64: Bool] = [:]

  init(_ key: UInt64, _ isNamed: Bool) { first = (key, isNamed) }

  subscript(_ key: UInt64) -> Bool? { key == first.key ? first.isNamed : others[key] }

  /// Records whether the item has the term.
  ///
  /// - Returns: True if no change of this item was recorded before.
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
