import AtRestCrypto
import Crypto
import Foundation

/// Says for every primary key whether there is an item, and at which generation it is.
///
/// A row sealed with its own generation cannot be swapped, but an older row put back would bring
/// its old generation along, and a row taken away would leave nothing. So the generations are kept
/// apart, in leaves addressed by the hash of the primary key (linear hashing, Litwin 1980), under a
/// tree of sealed nodes: each node is bound to its place and to the generation that its parent
/// holds for it; the root holds the store's counter. `docs/Formats.md`, *Generation tree*.
///
/// A tree is used on the database's queue alone.
final class GenerationTree {
  /// Children of an inner node.
  private static let fanOut = 256
  /// Mean items of a leaf above which another leaf is split off.
  private static let leafLoad = 96
  private static let cachedNodes = 32_768
  private static let rootID: Int64 = -1

  private final class Node {
    var generation: UInt64
    /// A leaf: hash, generation, hash, generation …; an inner node: the children's generations.
    var values: [UInt64]
    init(generation: UInt64, values: [UInt64]) {
      self.generation = generation
      self.values = values
    }
  }

  private struct Root {
    var counter: UInt64
    var count: UInt64
    var leaves: UInt64
    /// The number of the when-passcode-set class key whose items are in the database; 0: none.
    var passcodeClassID: UInt64
    var children: [UInt64]
  }

  private let key: SecretBox
  private let select: PreparedStatement
  private let upsert: PreparedStatement
  private let path: String
  private var root: Root
  private var cache: [Int64: Node] = [:]
  private var dirty: Set<Int64> = []
  private var isRootDirty = false
  /// The newest root that was durable, which no failure makes this object forget.
  private var newest: UInt64 = 0

  init(
    key: SecretBox, select: PreparedStatement, upsert: PreparedStatement, path: String
  ) throws {
    self.key = key
    self.select = select
    self.upsert = upsert
    self.path = path
    root = Root(counter: 0, count: 0, leaves: 1, passcodeClassID: 0, children: [0])
  }

  /// The store's counter: the generation of the last change.
  var counter: UInt64 { root.counter }
  /// How many items there are.
  var count: Int { Int(root.count) }
  var passcodeClassID: UInt64 {
    get { root.passcodeClassID }
    set {
      root.passcodeClassID = newValue
      isRootDirty = true
    }
  }

  // MARK: Reading

  /// Reads the root again. Nodes in the cache stay, and count only where their parent still names
  /// their generation.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` where the root is older than the one last seen.
  func refresh() throws {
    var found: Root?
    try select.run(.integer(Self.rootID)) { row in
      found = try openRoot(row.bytes(0))
      return false
    }
    guard let found else {
      throw AtRestError.damaged("The keychain \(path) has no root of its generation tree.")
    }
    guard found.counter >= newest else {
      throw AtRestError(
        .rolledBack,
        "The keychain \(path) was put back from change \(newest) to \(found.counter).",
        remedy: "If you put it back yourself, accept it: atrest restore --accept-older.")
    }
    root = found
    newest = found.counter
    dirty = []
    isRootDirty = false
  }

  /// Whether this object has seen a root in the database, which then cannot be empty again.
  var isDurable: Bool { newest > 0 }

  /// What was flushed is durable now.
  func didCommit() { newest = root.counter }

  /// Forgets changes that were not written.
  func rollBack() throws {
    // Nothing may stay that bears a generation which will be given out again.
    cache = [:]
    dirty = []
    isRootDirty = false
    try refresh()
  }

  /// The generation of the item with a hash, or nil where there is no such item.
  func generation(of hash: UInt64) throws -> UInt64? {
    let leaf = try node(level: 0, index: leafIndex(hash))
    return position(of: hash, in: leaf).map { leaf.values[$0 + 1] }
  }

  /// As ``generation(of:)`` from the cache alone; the outer nil where it is not there.
  func cachedGeneration(of hash: UInt64) -> UInt64?? {
    guard let leaf = cachedNode(level: 0, index: leafIndex(hash)) else { return nil }
    return .some(position(of: hash, in: leaf).map { leaf.values[$0 + 1] })
  }

  private func position(of hash: UInt64, in leaf: Node) -> Int? {
    leaf.values.withUnsafeBufferPointer { values in
      var index = 0
      while index < values.count {
        if values[index] == hash { return index }
        index += 2
      }
      return nil
    }
  }

  private func leafIndex(_ hash: UInt64) -> UInt64 { Self.leafIndex(hash, leaves: root.leaves) }

  private static func leafIndex(_ hash: UInt64, leaves: UInt64) -> UInt64 {
    let half = UInt64(1) << (63 - UInt64(leaves.leadingZeroBitCount))
    let index = hash & (2 * half - 1)
    return index < leaves ? index : hash & (half - 1)
  }

  private static func depth(leaves: UInt64) -> Int {
    var depth = 0
    var reach = UInt64(fanOut)
    while leaves > reach {
      depth += 1
      reach *= UInt64(fanOut)
    }
    return depth
  }

  private var depth: Int { Self.depth(leaves: root.leaves) }

  private static func id(_ level: Int, _ index: UInt64) -> Int64 {
    Int64(level) << 48 | Int64(index)
  }

  /// The generation that the parent of a node holds for it.
  private func expected(level: Int, index: UInt64) throws -> UInt64 {
    let values: [UInt64]
    let slot: UInt64
    if level == depth {
      values = root.children
      slot = index
    } else {
      values = try node(level: level + 1, index: index / UInt64(Self.fanOut)).values
      slot = index % UInt64(Self.fanOut)
    }
    guard slot < values.count else {
      throw AtRestError.damaged("The generation tree of \(path) has no node \(level).\(index).")
    }
    return values[Int(slot)]
  }

  private func cachedNode(level: Int, index: UInt64) -> Node? {
    guard let node = cache[Self.id(level, index)] else { return nil }
    let expected: UInt64
    if level == depth {
      guard index < root.children.count else { return nil }
      expected = root.children[Int(index)]
    } else {
      let slot = Int(index % UInt64(Self.fanOut))
      guard let parent = cachedNode(level: level + 1, index: index / UInt64(Self.fanOut)),
        slot < parent.values.count
      else { return nil }
      expected = parent.values[slot]
    }
    return node.generation == expected ? node : nil
  }

  private func node(level: Int, index: UInt64) throws -> Node {
    if let node = cachedNode(level: level, index: index) { return node }
    let generation = try expected(level: level, index: index)
    let node = Node(generation: generation, values: [])
    // Generation 0: never written, hence empty.
    if generation != 0 {
      var found = false
      try select.run(.integer(Self.id(level, index))) { row in
        node.values = try openNode(row.bytes(0), level, index, generation)
        found = true
        return false
      }
      guard found else { throw damagedNode(level, index) }
    }
    if cache.count >= Self.cachedNodes { cache = cache.filter { dirty.contains($0.key) } }
    cache[Self.id(level, index)] = node
    return node
  }

  // MARK: Writing

  /// The next generation, given out once.
  func nextGeneration() -> UInt64 {
    root.counter += 1
    isRootDirty = true
    return root.counter
  }

  /// Sets the generation of an item, or removes it.
  func set(_ hash: UInt64, to generation: UInt64?) throws {
    let index = leafIndex(hash)
    let leaf = try node(level: 0, index: index)
    isRootDirty = true
    switch (position(of: hash, in: leaf), generation) {
    case (let position?, let generation?): leaf.values[position + 1] = generation
    case (let position?, nil):
      leaf.values.removeSubrange(position...position + 1)
      root.count -= 1
    case (nil, let generation?):
      leaf.values += [hash, generation]
      root.count += 1
    case (nil, nil): return
    }
    dirty.insert(Self.id(0, index))
    if root.count > root.leaves * UInt64(Self.leafLoad) { try split() }
  }

  /// Splits off one leaf: the one whose turn it is.
  private func split() throws {
    let new = root.leaves
    let half = UInt64(1) << (63 - UInt64(new.leadingZeroBitCount))
    let old = try node(level: 0, index: new - half)
    if Self.depth(leaves: new + 1) > depth {
      let level = depth + 1
      cache[Self.id(level, 0)] = Node(generation: 0, values: root.children)
      root.children = [0]
      dirty.insert(Self.id(level, 0))
      root.leaves += 1
    } else {
      root.leaves += 1
    }
    var kept: [UInt64] = []
    var moved: [UInt64] = []
    for position in stride(from: 0, to: old.values.count, by: 2) {
      let entry = old.values[position...position + 1]
      if Self.leafIndex(old.values[position], leaves: new + 1) == new {
        moved += entry
      } else {
        kept += entry
      }
    }
    old.values = kept
    dirty.insert(Self.id(0, new - half))
    try grow(level: 0, index: new)
    cache[Self.id(0, new)] = Node(generation: 0, values: moved)
    dirty.insert(Self.id(0, new))
  }

  /// Makes room for a node in its parent, and for the parent in its own.
  private func grow(level: Int, index: UInt64) throws {
    if level == depth {
      if index == root.children.count { root.children.append(0) }
      return
    }
    let parentIndex = index / UInt64(Self.fanOut)
    let slot = Int(index % UInt64(Self.fanOut))
    if slot == 0 && cachedNode(level: level + 1, index: parentIndex) == nil {
      try grow(level: level + 1, index: parentIndex)
      if try expected(level: level + 1, index: parentIndex) == 0 {
        cache[Self.id(level + 1, parentIndex)] = Node(generation: 0, values: [])
      }
    }
    let parent = try node(level: level + 1, index: parentIndex)
    if slot == parent.values.count { parent.values.append(0) }
    dirty.insert(Self.id(level + 1, parentIndex))
  }

  /// Seals and writes every changed node, bottom up, then the root.
  func flush() throws {
    guard isRootDirty || !dirty.isEmpty else { return }
    let generation = nextGeneration()
    let key = key.bytes.symmetricKey()
    for level in 0...depth {
      // Sorted, so that pages are written in the order in which they lie.
      for id in dirty.filter({ $0 >> 48 == Int64(level) }).sorted() {
        guard let node = cache[id] else { continue }
        let index = UInt64(id & 0xffff_ffff_ffff)
        node.generation = generation
        if level == depth {
          root.children[Int(index)] = generation
        } else {
          let parentIndex = index / UInt64(Self.fanOut)
          let parent = try parentForWriting(level + 1, parentIndex)
          parent.values[Int(index % UInt64(Self.fanOut))] = generation
          dirty.insert(Self.id(level + 1, parentIndex))
        }
        let box = try GCM.seal(
          Self.bytes(node.values), key: key, context: Self.context(level, index, generation))
        try upsert.run(.integer(id), .blob(box))
      }
    }
    try upsert.run(.integer(Self.rootID), .blob(sealRoot(key)))
    dirty = []
    isRootDirty = false
  }

  // A dirty parent's own generation is stale until it is sealed, so it is looked up as it lies.
  private func parentForWriting(_ level: Int, _ index: UInt64) throws -> Node {
    if let node = cache[Self.id(level, index)], dirty.contains(Self.id(level, index)) {
      return node
    }
    return try node(level: level, index: index)
  }

  /// Starts an empty tree at a counter, for a new database or a repair.
  func reset(counter: UInt64) {
    root = Root(
      counter: counter, count: 0, leaves: 1, passcodeClassID: root.passcodeClassID, children: [0])
    cache = [:]
    dirty = []
    isRootDirty = true
  }

  /// Raises the counter over generations that may have been given out before.
  func skip(to counter: UInt64) {
    root.counter = max(root.counter, counter)
    isRootDirty = true
  }

  /// The leaves that do not open, and for each a test whether it covers a hash.
  func damagedLeaves() throws -> [UInt64] {
    try (0..<root.leaves).filter { index in
      do {
        _ = try node(level: 0, index: index)
        return false
      } catch AtRestError.Code.damaged {
        return true
      }
    }
  }

  func leaf(of hash: UInt64) -> UInt64 { leafIndex(hash) }

  /// Every hash and generation that the tree names, in leaves that open.
  func forEach(_ body: (UInt64, UInt64) throws -> Void) throws {
    for index in 0..<root.leaves {
      guard let leaf = try? node(level: 0, index: index) else { continue }
      for position in stride(from: 0, to: leaf.values.count, by: 2) {
        try body(leaf.values[position], leaf.values[position + 1])
      }
    }
  }

  // MARK: Layout

  // Loops over buffers: nodes have hundreds of values, and each write turns several nodes.
  private static func bytes(_ values: [UInt64]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: values.count * 8) { bytes, count in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      for index in values.indices {
        raw.storeBytes(of: values[index].bigEndian, toByteOffset: index * 8, as: UInt64.self)
      }
      count = values.count * 8
    }
  }

  private static func values(_ data: Data) -> [UInt64] {
    data.withUnsafeBytes { bytes in
      [UInt64](unsafeUninitializedCapacity: bytes.count / 8) { values, count in
        count = bytes.count / 8
        for index in 0..<count {
          let value = bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
          values.initializeElement(at: index, to: UInt64(bigEndian: value))
        }
      }
    }
  }

  private static func context(_ level: Int, _ index: UInt64, _ generation: UInt64) -> [UInt8] {
    var writer = ByteWriter(capacity: 40)
    writer.fixed(utf8: "atrest.node.v1")
    writer.integer(UInt8(level))
    writer.integer(index)
    writer.integer(generation)
    return writer.bytes
  }

  private static let rootContext = Array("atrest.root.v1".utf8)

  private func openNode(
    _ box: UnsafeRawBufferPointer, _ level: Int, _ index: UInt64, _ generation: UInt64
  ) throws -> [UInt64] {
    do {
      return Self.values(
        try GCM.open(
          box, key: key.bytes.symmetricKey(), context: Self.context(level, index, generation),
          name: ""))
    } catch {
      throw damagedNode(level, index)
    }
  }

  private func damagedNode(_ level: Int, _ index: UInt64) -> AtRestError {
    let leaves = level == 0 ? "one leaf" : "an inner node"
    return .damaged(
      "Node \(level).\(index) of the generation tree of \(path) was changed or put back: "
        + "\(leaves) of \(root.leaves) leaves and \(root.count) items.",
      remedy: "Items elsewhere stay readable. Verify, then repair (atrest repair), or restore.")
  }

  private func sealRoot(_ key: SymmetricKey) throws -> Data {
    let values =
      [root.counter, root.count, root.leaves, root.passcodeClassID] + root.children
    return try GCM.seal(Self.bytes(values), key: key, context: Self.rootContext)
  }

  private func openRoot(_ box: UnsafeRawBufferPointer) throws -> Root {
    let values: [UInt64]
    do {
      values = Self.values(
        try GCM.open(
          box, key: key.bytes.symmetricKey(), context: Self.rootContext, name: ""))
    } catch {
      throw AtRestError.damaged(
        "The root of the generation tree of \(path) was changed, or is of another store.",
        remedy: "Repair it (atrest repair), or restore a backup.")
    }
    guard values.count >= 5, values[2] >= 1, values[2] < 1 << 40 else {
      throw AtRestError.damaged("The root of the generation tree of \(path) is malformed.")
    }
    return Root(
      counter: values[0], count: values[1], leaves: values[2], passcodeClassID: values[3],
      children: Array(values[4...]))
  }
}
