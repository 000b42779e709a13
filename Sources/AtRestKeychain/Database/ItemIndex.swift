import AtRestCrypto
import Foundation

/// An index that shows for every primary key whether there is an item, and for every indexed
/// attribute value which items have this value. Nothing in an answer can be modified, restored to
/// an older version or left out unnoticed.
///
/// Two sealed trees hold the entries of items and the *terms*, which are keyed hashes of
/// attributes. A transaction does not write to the trees. The transaction appends one sealed
/// *change* to a chain, with a copy elsewhere, so a durable write touches at most two pages besides
/// the item's own. Changes are held in memory, and are merged into the trees when there are many.
/// See `docs/Formats.md`, *Index*.
///
/// Use it only while holding the connection's lock.
final class ItemIndex {
  private enum Writing {
    case none
    case appended(Data)
    case compacted(Data)
    case merged(Data)
  }

  /// The number of consecutive changes that are rewritten as one change.
  private static let recordLimit = 256
  /// The number of changes after which all changes are merged into the trees. The limit is higher
  /// in large stores.
  private var mergeLimit: Int { max(4_096, Int(head.count) / 8) }

  private let keys: IndexKeys
  private let nodes: IndexNodes
  private let items: IndexTree
  private let terms: IndexTree
  private let path: String
  private let selectChanges: PreparedStatement
  private let changes: ChangeTable
  private let root: IndexRoot

  /// The last durable state.
  private(set) var head = Head()
  /// The state of the transaction under way.
  private var working = Head()
  /// The state of the trees.
  private var base = Head()
  private var rootBox = Data()
  private var headBox = Data()
  /// The changes that were read from their copies, because their rows are damaged or missing. The
  /// next transaction writes the rows again.
  private var recovered: [UInt64: Data] = [:]
  /// All durable changes that are not yet in the trees.
  private var pending = IndexOverlay()
  /// The durable changes since the last compaction.
  private var recent = IndexOverlay()
  private var recentCount = 0
  /// The state before the first of the recent changes.
  private var recentBase = Head()
  /// The changes of the transaction under way.
  private var staged = IndexOverlay()
  private var isChanged = false
  private var isNew = false
  private var writing = Writing.none
  private var saved: (items: IndexNodes.Reference?, terms: IndexNodes.Reference?, next: UInt64)?
  /// The highest transaction number that this object used, even for a transaction that failed.
  private var highest: UInt64 = 0

  init(_ session: SessionStatements, root: SecretBox, path: String) throws {
    keys = IndexKeys(root, for: .indexBox)
    self.path = path
    nodes = try IndexNodes(session, keys: keys, path: path)
    items = IndexTree(nodes, number: 1, width: IndexEntry.width, keyWords: 1)
    terms = IndexTree(nodes, number: 2, width: 2, keyWords: 2)
    self.root = try IndexRoot(session, keys: keys)
    selectChanges = try session.statement(
      "SELECT id, box FROM change WHERE id >= ? ORDER BY id")
    changes = try ChangeTable(session)
  }

  /// True if this object has read a state from the database. After this, the database cannot be
  /// empty.
  var isLoaded: Bool { head.counter > 0 }

  // MARK: Reading

  /// Returns the entry of the item with a key, or nil if there is no such item.
  func entry(_ key: UInt64) throws -> IndexEntry? {
    if let changed = overlaid(key) { return changed }
    return try items.find(.init(first: key)) { IndexEntry($0) }
  }

  /// Returns the entry of the item with a key, if it can be found in memory.
  ///
  /// - Returns: The result of ``entry(_:)``. The outer optional is nil if the memory does not
  ///   contain the answer.
  func cachedEntry(_ key: UInt64) -> IndexEntry?? {
    if let changed = overlaid(key) { return changed }
    return items.findCached(.init(first: key)) { IndexEntry($0) }
  }

  private func overlaid(_ key: UInt64) -> IndexEntry?? {
    if let changed = staged.items[key] { return .some(changed) }
    return pending.items[key]
  }

  /// Returns the keys of the items that have a term, in no particular order.
  ///
  /// - Parameter limit: The maximum number of keys. The result is nil if there are more.
  func keys(of term: UInt64, limit: Int = .max) throws -> [UInt64]? {
    var found: [UInt64] = []
    var changed: [UInt64: Bool] = [:]
    pending.terms[term]?.forEach { changed[$0] = $1 }
    staged.terms[term]?.forEach { changed[$0] = $1 }
    try terms.forEach(from: .init(first: term)) { entry in
      guard entry[0] == term else { return false }
      if changed[entry[1]] == nil { found.append(entry[1]) }
      return found.count <= limit
    }
    for (key, isNamed) in changed where isNamed { found.append(key) }
    return found.count <= limit ? found : nil
  }

  /// Returns the keys of the items that have all given terms.
  func keys(ofAll terms: [UInt64]) throws -> Set<UInt64> {
    var found: [UInt64]?
    var rest = terms[...]
    // Starting with a term that few items have avoids reading the long list of another term.
    for limit in [64, Int.max] where found == nil {
      for position in terms.indices {
        guard let keys = try keys(of: terms[position], limit: limit) else { continue }
        found = keys
        rest.remove(at: position)
        break
      }
    }
    var keys = Set(found ?? [])
    for term in rest {
      if keys.count > 64, let others = try self.keys(of: term) {
        keys.formIntersection(others)
      } else {
        keys = try keys.filter { try names(term, $0) }
      }
    }
    return keys
  }

  /// Returns true if the item with a key has a term.
  func names(_ term: UInt64, _ key: UInt64) throws -> Bool {
    if let isNamed = staged.terms[term]?[key] ?? pending.terms[term]?[key] { return isNamed }
    return try terms.find(.init(first: term, second: key)) { _ in true } ?? false
  }

  /// Calls a closure with the entry of every item, in no particular order.
  ///
  /// - Parameter damaged: A closure that is called with the error of each node that does not open.
  ///   The items of such a node are left out. If the closure is nil, the first error is thrown
  ///   instead.
  func forEach(
    damaged: ((AtRestError) -> Void)? = nil, _ body: (IndexEntry) throws -> Void
  ) throws {
    try items.forEach(damaged: damaged) { words in
      if overlaid(words[0]) == nil { try body(IndexEntry(words)) }
      return true
    }
    for (_, entry) in pending.items {
      if let entry, staged.items[entry.key] == nil { try body(entry) }
    }
    for (_, entry) in staged.items { if let entry { try body(entry) } }
  }

  /// Returns an error for each node of the tree of terms that does not open.
  func damagedTerms() throws -> [AtRestError] {
    var found: [AtRestError] = []
    try terms.forEach(damaged: { found.append($0) }) { _ in true }
    return found
  }

  // MARK: Writing

  /// Begins to collect the changes of a transaction.
  func begin() {
    working = head
    staged = IndexOverlay()
    isChanged = false
    writing = .none
    working.counter = max(head.counter, highest) + 1
    working.salt = .random(in: 0 ... .max)
    highest = working.counter
  }

  /// The changes of the transaction under way so far, to which a part of it can return.
  var staging: (head: Head, changes: IndexOverlay, isChanged: Bool) {
    get { (working, staged, isChanged) }
    set { (working, staged, isChanged) = newValue }
  }

  /// The number of the transaction under way.
  var generation: UInt64 { working.counter }
  /// The number of items, including those of the transaction under way.
  var count: Int { Int(isChanged ? working.count : head.count) }

  func nextID() -> Int64 {
    defer { working.nextID += 1 }
    isChanged = true
    return Int64(bitPattern: working.nextID)
  }

  func set(_ entry: IndexEntry) throws {
    if try self.entry(entry.key) == nil { working.count += 1 }
    staged.set(entry.key, to: entry)
    isChanged = true
  }

  func remove(_ key: UInt64) throws {
    guard try entry(key) != nil else { return }
    working.count -= 1
    staged.set(key, to: nil)
    isChanged = true
  }

  func set(_ term: UInt64, names key: UInt64, _ isNamed: Bool) {
    staged.set(term, key, to: isNamed)
    isChanged = true
  }

  /// Removes every term of an item. The time grows with the number of terms of all items.
  func removeTerms(of key: UInt64) throws {
    var found = Set<UInt64>()
    // The terms in a damaged node cannot be read, so they name nothing.
    try terms.forEach(damaged: { _ in }) { entry in
      if entry[1] == key { found.insert(entry[0]) }
      return true
    }
    for overlay in [pending, staged] {
      for (term, changes) in overlay.terms where changes[key] == true { found.insert(term) }
    }
    for term in found { set(term, names: key, false) }
  }

  /// Records the class keys under which the items are sealed. nil leaves a value unchanged.
  func setKeys(passcodeClassID: UInt64? = nil, keySet: UInt64? = nil) {
    if let passcodeClassID { working.passcodeClassID = passcodeClassID }
    if let keySet { working.keySet = keySet }
    isChanged = true
  }

  /// Skips transaction and item numbers that a discarded history of the store may have used.
  func skip(to counter: UInt64) {
    working.counter = max(working.counter, counter)
    working.nextID += 1 << 20
    highest = max(highest, working.counter)
    isChanged = true
  }

  /// Writes the transaction's changes.
  func flush() throws {
    guard isChanged else { return }
    for (number, box) in recovered { try changes.insert(number, box) }
    if isNew || pending.count + staged.count > mergeLimit {
      try merge()
    } else if recentCount + 1 >= Self.recordLimit {
      var all = recent
      all.apply(staged)
      try changes.remove(after: recentBase.counter)
      writing = .compacted(try append(all, after: recentBase))
    } else {
      writing = .appended(try append(staged, after: head))
    }
  }

  private func append(_ overlay: IndexOverlay, after previous: Head) throws -> Data {
    let words = working.words + [previous.counter, previous.salt] + overlay.words
    let box = try keys.seal(words, working.counter, Self.changeContext(working.counter))
    try changes.insert(working.counter, box)
    return box
  }

  /// Merges all changes into the trees.
  private func merge() throws {
    var all = pending
    all.apply(staged)
    saved = (items.root, terms.root, nodes.next)
    try items.apply(all.itemChanges, generation: working.counter)
    try terms.apply(all.termChanges, generation: working.counter)
    try changes.remove(after: 0)
    writing = .merged(try writeRoot())
  }

  private func writeRoot() throws -> Data {
    let none = [UInt64](repeating: 0, count: IndexNodes.Reference.width)
    let words =
      working.words + [nodes.next] + (items.root?.words ?? none) + (terms.root?.words ?? none)
    return try root.write(words, working.counter)
  }

  /// Records that the written changes are now durable.
  func didCommit() {
    switch writing {
    case .none: return
    case .appended(let box):
      note(staged, after: head)
      headBox = box
    case .compacted(let box):
      pending.apply(staged)
      forgetRecent()
      headBox = box
    case .merged(let box):
      rootBox = box
      headBox = Data()
      pending = IndexOverlay()
      forgetRecent()
      base = working
    }
    head = working
    recovered = [:]
    end()
  }

  /// Adds the changes of a durable record to the state in memory.
  private func note(_ overlay: IndexOverlay, after previous: Head) {
    pending.apply(overlay)
    if overlay.count >= Self.recordLimit {
      // A large record is not rewritten together with others.
      return forgetRecent()
    }
    if recentCount == 0 { recentBase = previous }
    recent.apply(overlay)
    recentCount += 1
  }

  private func forgetRecent() {
    recent = IndexOverlay()
    recentCount = 0
  }

  private func end() {
    staged = IndexOverlay()
    isChanged = false
    isNew = false
    writing = .none
    saved = nil
  }

  /// Forgets the changes of a transaction that was not committed.
  func rollBack() {
    if let saved {
      (items.root, terms.root, nodes.next) = saved
      // Nodes that were sealed but not committed must not stay in the cache.
      nodes.forget()
    }
    end()
  }

  // MARK: Loading

  /// Reads the changes of other connections.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` if the database is older than when it was last read;
  ///   ``AtRestError/Code/damaged``.
  func refresh() throws {
    let boxes = try root.boxes()
    if boxes.first == rootBox, isLoaded, try readChanges(continuing: true) { return }
    let former = head
    // The copy is used only if the root does not open. An older copy leads to an older head, as an
    // older root does.
    try load(boxes.first { root.words(in: $0) != nil } ?? boxes.first ?? Data())
    guard head.counter > former.counter || head == former || former.counter == 0 else {
      let found = head.counter
      // Later calls must read the root again.
      head = former
      rootBox = Data()
      throw AtRestError(
        .rolledBack,
        "The keychain \(path) was restored from change \(former.counter) to \(found).",
        remedy: "If you restored it yourself, accept it: atrest restore --accept-older.")
    }
  }

  private func load(_ box: Data) throws {
    let former = head
    rootBox = Data()
    guard let words = root.words(in: box) else {
      throw AtRestError.damaged(
        "The root of the index of \(path) is missing, was modified, or belongs to another store.",
        remedy: "Restore a backup, or repair the keychain (atrest repair).")
    }
    func reference(_ start: Int) -> IndexNodes.Reference? {
      let found = IndexNodes.Reference(words[start...])
      return found.id == 0 ? nil : found
    }
    base = Head(words[...])
    nodes.next = words[Head.width]
    items.root = reference(Head.width + 1)
    terms.root = reference(Head.width + 1 + IndexNodes.Reference.width)
    pending = IndexOverlay()
    forgetRecent()
    head = base
    headBox = Data()
    do {
      _ = try readChanges(continuing: false)
    } catch {
      head = former
      throw error
    }
    rootBox = box
  }

  /// Reads the changes that follow the head, and applies them. A change whose row is damaged or missing
  /// is read from its copy, which is authenticated in the same way.
  ///
  /// - Returns: False if `continuing` is true and the chain in the database no longer contains the
  ///   head.
  private func readChanges(continuing: Bool) throws -> Bool {
    var isHeadThere = head.counter == base.counter
    var unknown: UInt64?
    if !continuing { recovered = [:] }
    try selectChanges.run(.integer(Int64(bitPattern: head.counter))) { row in
      let number = UInt64(bitPattern: row.integer(0))
      if number <= head.counter {
        if number == head.counter, continuing && row.bytes(1).elementsEqual(headBox) {
          isHeadThere = true
        }
        return true
      }
      guard isHeadThere || !continuing else { return false }
      if !apply(number, row.bytes(1)) {
        try recoverChanges(through: number)
        // The row itself may be sound, and only the one before it missing.
        guard head.counter == number || apply(number, row.bytes(1)) else {
          // A later change that follows the head shows that this row belongs to no change.
          unknown = unknown ?? number
          return true
        }
      }
      unknown = nil
      return true
    }
    guard isHeadThere || !continuing else { return false }
    try recoverChanges(through: .max)
    if let unknown, unknown > head.counter {
      throw AtRestError.damaged(
        "Change \(unknown) of the index of \(path) was modified, or one before it is missing, and so "
          + "is its copy. Any item may have been changed by it, so none is returned.",
        remedy: "Restore a backup, or repair the keychain (atrest repair).")
    }
    return true
  }

  /// Applies the change in a box, if it is authentic and follows the head.
  private func apply(_ number: UInt64, _ box: UnsafeRawBufferPointer) -> Bool {
    let words = try? keys.open(box, number, Self.changeContext(number))
    guard let words, words.count >= Head.width + 2, words[0] == number,
      words[Head.width] == head.counter, words[Head.width + 1] == head.salt,
      let overlay = IndexOverlay(words[(Head.width + 2)...])
    else { return false }
    note(overlay, after: head)
    head = Head(words[...])
    headBox = Data(box)
    return true
  }

  /// Applies the copies of the changes that follow the head, up to a number.
  private func recoverChanges(through number: UInt64) throws {
    try changes.forEachCopy(after: head.counter) { copy, box in
      guard copy <= number, apply(copy, box) else { return false }
      recovered[copy] = headBox
      return true
    }
  }

  private static func changeContext(_ counter: UInt64) -> [UInt8] {
    IndexRoot.context("atrest.change.v1", counter)
  }

  // MARK: Rebuilding

  /// Starts an empty index for a new database or a repair, in the transaction under way.
  func reset(counter: UInt64, nextID: UInt64 = 1) {
    items.root = nil
    terms.root = nil
    nodes.forget()
    nodes.next = 1
    pending = IndexOverlay()
    recovered = [:]
    forgetRecent()
    head = Head()
    base = Head()
    begin()
    working.counter = max(counter, 1)
    working.nextID = nextID
    highest = working.counter
    isChanged = true
    isNew = true
  }
}
