import AtRestCrypto
import Foundation

/// A sealed B+ tree of entries with a fixed number of words, in ascending order of their keys.
///
/// Each node names its children by number, transaction and salt. A node that was modified, restored
/// to an older version, moved or left out is therefore detected. See `docs/Formats.md`, *Index*.
///
/// Use it only while holding the connection's lock.
final class IndexTree {
  /// The first words of an entry, by which the entry is found. The second word is 0 in trees with
  /// one-word keys.
  struct Key: Comparable {
    var first: UInt64
    var second: UInt64 = 0

    static func < (a: Key, b: Key) -> Bool {
      a.first != b.first ? a.first < b.first : a.second < b.second
    }
  }

  /// A new entry for a key. An empty entry removes the current one.
  struct Change {
    var key: Key
    var entry: [UInt64]
  }

  private struct Child {
    static let width = 2 + IndexNodes.Reference.width
    /// A lower bound for the keys in the child. Only the leftmost child may contain lower keys.
    var low: Key
    var reference: IndexNodes.Reference

    init(low: Key, reference: IndexNodes.Reference) {
      self.low = low
      self.reference = reference
    }

    init(_ words: ArraySlice<UInt64>) {
      let start = words.startIndex
      low = Key(first: words[start], second: words[start + 1])
      reference = IndexNodes.Reference(words[(start + 2)...])
    }

    var words: [UInt64] { [low.first, low.second] + reference.words }
  }

  private let nodes: IndexNodes
  private let number: UInt8
  private let width: Int
  private let keyWords: Int
  /// The root, or nil if the tree is empty.
  var root: IndexNodes.Reference?

  /// - Parameters:
  ///   - number: The number that distinguishes the trees of one index.
  ///   - width: The number of words in an entry.
  ///   - keyWords: The number of words at the start of an entry that form its key, 1 or 2.
  init(_ nodes: IndexNodes, number: UInt8, width: Int, keyWords: Int) {
    self.nodes = nodes
    self.number = number
    self.width = width
    self.keyWords = keyWords
  }

  // MARK: Reading

  /// Calls a closure with the entry under a key.
  ///
  /// - Returns: The result of the closure, or nil if there is no such entry.
  func find<Result>(
    _ key: Key, _ body: (UnsafeBufferPointer<UInt64>) -> Result
  ) throws -> Result? {
    guard var reference = root else { return nil }
    while reference.level > 0 {
      reference = child(of: try nodes.read(reference, tree: number), for: key)
    }
    return entry(key, in: try nodes.read(reference, tree: number), body)
  }

  /// Calls a closure with the entry under a key, and reads only cached nodes.
  ///
  /// - Returns: The result of ``find(_:_:)``. The outer optional is nil if a required node is not
  ///   in the cache.
  func findCached<Result>(
    _ key: Key, _ body: (UnsafeBufferPointer<UInt64>) -> Result
  ) -> Result?? {
    guard var reference = root else { return .some(nil) }
    while reference.level > 0 {
      guard let words = nodes.cached(reference) else { return nil }
      reference = child(of: words, for: key)
    }
    guard let words = nodes.cached(reference) else { return nil }
    return .some(entry(key, in: words, body))
  }

  /// Calls a closure with each entry from a key on, in order, until the closure returns false.
  ///
  /// - Parameter damaged: A closure that is called with the error of each node that does not open.
  ///   Such a node is skipped. If the closure is nil, the first error is thrown instead.
  func forEach(
    from key: Key = Key(first: 0), damaged: ((AtRestError) -> Void)? = nil,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws {
    guard let root else { return }
    _ = try visit(root, from: key, damaged, body)
  }

  private func visit(
    _ reference: IndexNodes.Reference, from key: Key, _ damaged: ((AtRestError) -> Void)?,
    _ body: (UnsafeBufferPointer<UInt64>) throws -> Bool
  ) throws -> Bool {
    let words: [UInt64]
    do {
      words = try nodes.read(reference, tree: number)
    } catch let error as AtRestError where damaged != nil && error.code == .damaged {
      damaged?(error)
      return true
    }
    if reference.level > 0 {
      for start in stride(
        from: childPosition(in: words, for: key), to: words.count, by: Child.width)
      {
        let child = Child(words[start..<start + Child.width]).reference
        if try !visit(child, from: key, damaged, body) { return false }
      }
      return true
    }
    return try words.withUnsafeBufferPointer { words in
      for start in stride(
        from: Self.lowerBound(words, key, stride: width, keyWords: keyWords), to: words.count,
        by: width)
      {
        let entry = UnsafeBufferPointer(rebasing: words[start..<start + width])
        if try !body(entry) { return false }
      }
      return true
    }
  }

  private func entry<Result>(
    _ key: Key, in words: [UInt64], _ body: (UnsafeBufferPointer<UInt64>) -> Result
  ) -> Result? {
    words.withUnsafeBufferPointer { words in
      let start = Self.lowerBound(words, key, stride: width, keyWords: keyWords)
      guard start < words.count, Self.key(words, start, keyWords) == key else { return nil }
      return body(UnsafeBufferPointer(rebasing: words[start..<start + width]))
    }
  }

  private func child(of words: [UInt64], for key: Key) -> IndexNodes.Reference {
    let start = childPosition(in: words, for: key)
    return Child(words[start..<start + Child.width]).reference
  }

  /// Returns the position of the last child whose low key is not above a key. If there is no such
  /// child, returns the position of the first child.
  private func childPosition(in words: [UInt64], for key: Key) -> Int {
    words.withUnsafeBufferPointer { words in
      let start = Self.lowerBound(words, key, stride: Child.width, keyWords: 2)
      if start < words.count, Self.key(words, start, 2) == key { return start }
      return max(0, start - Child.width)
    }
  }

  private static func key(
    _ words: UnsafeBufferPointer<UInt64>, _ start: Int, _ keyWords: Int
  ) -> Key {
    Key(first: words[start], second: keyWords > 1 ? words[start + 1] : 0)
  }

  /// Returns the position of the first entry whose key is not below a key.
  private static func lowerBound(
    _ words: UnsafeBufferPointer<UInt64>, _ key: Key, stride: Int, keyWords: Int
  ) -> Int {
    var low = 0
    var high = words.count / stride
    while low < high {
      let middle = (low + high) / 2
      if Self.key(words, middle * stride, keyWords) < key {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low * stride
  }

  // MARK: Writing

  /// Applies changes, which must be sorted by key and contain no key twice.
  func apply(_ changes: [Change], generation: UInt64) throws {
    guard !changes.isEmpty else { return }
    var children = try replacement(of: root, changes[...], generation)
    var level = children.first?.reference.level ?? 0
    while children.count > 1 {
      level += 1
      children = try write(
        children.flatMap(\.words), stride: Child.width, keyWords: 2, level: level, reusing: nil,
        generation)
    }
    root = children.first?.reference
    // The only child of a root replaces the root.
    while let top = root, top.level > 0 {
      let words = try nodes.read(top, tree: number)
      guard words.count == Child.width else { break }
      try nodes.delete(top)
      root = Child(words[...]).reference
    }
  }

  private func replacement(
    of reference: IndexNodes.Reference?, _ changes: ArraySlice<Change>, _ generation: UInt64
  ) throws -> [Child] {
    let old = try reference.map { try nodes.read($0, tree: number) } ?? []
    let level = reference?.level ?? 0
    let new =
      try level == 0
      ? merged(old, changes) : replacingChildren(old, changes, generation)
    if new.isEmpty {
      if let reference { try nodes.delete(reference) }
      return []
    }
    return try write(
      new, stride: level == 0 ? width : Child.width, keyWords: level == 0 ? keyWords : 2,
      level: level, reusing: reference?.id, generation)
  }

  private func merged(_ old: [UInt64], _ changes: ArraySlice<Change>) -> [UInt64] {
    var new: [UInt64] = []
    new.reserveCapacity(old.count + changes.count * width)
    old.withUnsafeBufferPointer { old in
      var position = 0
      for change in changes {
        let start = max(
          position, Self.lowerBound(old, change.key, stride: width, keyWords: keyWords))
        new += old[position..<start]
        position = start
        if start < old.count, Self.key(old, start, keyWords) == change.key { position += width }
        new += change.entry
      }
      new += old[position...]
    }
    return new
  }

  private func replacingChildren(
    _ old: [UInt64], _ changes: ArraySlice<Change>, _ generation: UInt64
  ) throws -> [UInt64] {
    var new: [UInt64] = []
    new.reserveCapacity(old.count + Child.width)
    var rest = changes
    for start in stride(from: 0, to: old.count, by: Child.width) {
      let next = start + Child.width
      let mine: ArraySlice<Change>
      if next < old.count {
        let end = Key(first: old[next], second: old[next + 1])
        mine = rest.prefix { $0.key < end }
      } else {
        mine = rest
      }
      rest = rest.dropFirst(mine.count)
      if mine.isEmpty {
        new += old[start..<next]
      } else {
        let child = Child(old[start..<next]).reference
        for replaced in try replacement(of: child, mine, generation) { new += replaced.words }
      }
    }
    return new
  }

  /// Writes words as one node, or as several nodes of about the same size if one node would be too
  /// large.
  private func write(
    _ words: [UInt64], stride: Int, keyWords: Int, level: UInt64, reusing id: UInt64?,
    _ generation: UInt64
  ) throws -> [Child] {
    let entries = words.count / stride
    let perNode = IndexNodes.capacity / stride
    let pieces = (entries + perNode - 1) / perNode
    return try (0..<pieces).map { piece in
      let start = entries * piece / pieces * stride
      let end = entries * (piece + 1) / pieces * stride
      let part = pieces == 1 ? words : Array(words[start..<end])
      let reference = try nodes.write(
        part, id: piece == 0 ? id : nil, level: level, generation: generation, tree: number)
      return Child(
        low: Key(first: part[0], second: keyWords > 1 ? part[1] : 0), reference: reference)
    }
  }
}
