/// The changes that are not yet in the trees of the index, by item key and by term.
struct IndexOverlay {
  /// The new entry of each changed item. nil means that the item was removed.
  private(set) var items: [UInt64: IndexEntry?] = [:]
  /// The changed items of each term.
  private(set) var terms: [UInt64: TermChanges] = [:]
  /// The number of changes.
  private(set) var count = 0

  mutating func set(_ key: UInt64, to entry: IndexEntry?) {
    if items.updateValue(entry, forKey: key) == nil { count += 1 }
  }

  mutating func set(_ term: UInt64, _ key: UInt64, to isNamed: Bool) {
    let position = terms.index(forKey: term)
    if let position {
      if terms.values[position].set(key, isNamed) { count += 1 }
    } else {
      terms[term] = TermChanges(key, isNamed)
      count += 1
    }
  }

  /// Merges later changes into this overlay.
  mutating func apply(_ later: IndexOverlay) {
    if items.isEmpty && terms.isEmpty {
      self = later
      return
    }
    for (key, entry) in later.items { set(key, to: entry) }
    for (term, changes) in later.terms { changes.forEach { set(term, $0, to: $1) } }
  }

  // MARK: Changes of the trees

  var itemChanges: [IndexTree.Change] {
    items.map { IndexTree.Change(key: .init(first: $0.key), entry: $0.value?.words ?? []) }
      .sorted { $0.key < $1.key }
  }

  var termChanges: [IndexTree.Change] {
    var changes: [IndexTree.Change] = []
    changes.reserveCapacity(count - items.count)
    for (term, named) in terms {
      named.forEach { key, isNamed in
        changes.append(
          IndexTree.Change(
            key: .init(first: term, second: key), entry: isNamed ? [term, key] : []))
      }
    }
    return changes.sorted { $0.key < $1.key }
  }

  // MARK: Encoding

  /// The encoded changes: four counts, then the entries that are set, the keys that are removed,
  /// and the terms that are set and removed.
  var words: [UInt64] {
    var set: [UInt64] = []
    var removed: [UInt64] = []
    for (key, entry) in items {
      if let entry { set += entry.words } else { removed.append(key) }
    }
    var named: [UInt64] = []
    var dropped: [UInt64] = []
    for (term, changes) in terms {
      changes.forEach { key, isNamed in
        if isNamed { named += [term, key] } else { dropped += [term, key] }
      }
    }
    let counts = [
      set.count / IndexEntry.width, removed.count, named.count / 2, dropped.count / 2,
    ].map { UInt64($0) }
    return counts + set + removed + named + dropped
  }

  init() {}

  /// Decodes ``words``. The result is nil if the words are malformed.
  init?(_ words: ArraySlice<UInt64>) {
    guard words.count >= 4 else { return nil }
    var rest = words.dropFirst(4)
    let counts = words.prefix(4).map { Int(truncatingIfNeeded: $0) }
    guard counts.allSatisfy({ 0...words.count ~= $0 }),
      counts[0] * IndexEntry.width + counts[1] + 2 * (counts[2] + counts[3]) == rest.count
    else { return nil }
    func take(_ count: Int) -> ArraySlice<UInt64> {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    for _ in 0..<counts[0] {
      let entry = take(IndexEntry.width).withUnsafeBufferPointer { IndexEntry($0) }
      set(entry.key, to: entry)
    }
    for key in take(counts[1]) { set(key, to: nil) }
    for isNamed in [true, false] {
      for _ in 0..<counts[isNamed ? 2 : 3] {
        let pair = take(2)
        set(pair[pair.startIndex], pair[pair.startIndex + 1], to: isNamed)
      }
    }
  }
}
