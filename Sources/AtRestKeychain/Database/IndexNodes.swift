@_spi(Tools) import AtRestCrypto
import Foundation

/// Reads and writes the sealed nodes of the index, and caches them.
///
/// Use it only while holding the connection's lock.
final class IndexNodes {
  /// A reference to one version of one node. The salt distinguishes nodes that two histories of one
  /// store wrote under the same transaction number.
  struct Reference: Equatable {
    static let width = 4
    var id: UInt64
    var generation: UInt64
    var salt: UInt64
    /// The level of the node. 0 is a leaf.
    var level: UInt64

    init(id: UInt64, generation: UInt64, salt: UInt64, level: UInt64) {
      self.id = id
      self.generation = generation
      self.salt = salt
      self.level = level
    }

    init(_ words: ArraySlice<UInt64>) {
      let start = words.startIndex
      self.init(
        id: words[start], generation: words[start + 1], salt: words[start + 2],
        level: words[start + 3])
    }

    var words: [UInt64] { [id, generation, salt, level] }
  }

  /// The maximum number of words in a node. Together with the 28 bytes that sealing adds, they fit
  /// in one page of 4,096 bytes.
  static let capacity = 500
  private static let cachedNodes = 65_536

  private let keys: IndexKeys
  private let path: String
  private let select: PreparedStatement
  private let upsert: PreparedStatement
  private let remove: PreparedStatement
  private var cache: [UInt64: (reference: Reference, words: [UInt64])] = [:]
  /// The number that the next new node gets.
  var next: UInt64 = 1

  init(_ session: SessionStatements, keys: IndexKeys, path: String) throws {
    self.keys = keys
    self.path = path
    select = try session.statement("SELECT box FROM node WHERE id = ?")
    upsert = try session.statement("INSERT OR REPLACE INTO node (id, box) VALUES (?, ?)")
    remove = try session.statement("DELETE FROM node WHERE id = ?")
  }

  func cached(_ reference: Reference) -> [UInt64]? {
    guard let node = cache[reference.id], node.reference == reference else { return nil }
    return node.words
  }

  /// Returns the words of a node, from the cache or from the database.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the stored node does not match the reference.
  func read(_ reference: Reference, tree: UInt8) throws -> [UInt64] {
    if let words = cached(reference) { return words }
    var words: [UInt64]?
    try select.run(.integer(Int64(bitPattern: reference.id))) { row in
      words = try? keys.open(row.bytes(0), reference.generation, Self.context(reference, tree))
      return false
    }
    guard let words else {
      throw AtRestError.damaged(
        "Node \(reference.id) of the index of \(path) is missing, was modified, or is an "
          + "older version.",
        remedy: "Items in other nodes stay readable. Restore a backup, or repair (atrest repair).")
    }
    keep(reference, words)
    return words
  }

  /// Seals a node and writes it. If `id` is nil, the node gets a new number.
  func write(
    _ words: [UInt64], id: UInt64?, level: UInt64, generation: UInt64, tree: UInt8
  ) throws -> Reference {
    let reference = Reference(
      id: id ?? next, generation: generation, salt: .random(in: 0 ... .max), level: level)
    if id == nil { next += 1 }
    let box = try keys.seal(words, generation, Self.context(reference, tree))
    try upsert.run(.integer(Int64(bitPattern: reference.id)), .blob(box))
    keep(reference, words)
    return reference
  }

  func delete(_ reference: Reference) throws {
    try remove.run(.integer(Int64(bitPattern: reference.id)))
    cache[reference.id] = nil
  }

  /// Empties the cache, so that nodes of a failed transaction are not mistaken for stored nodes.
  func forget() { cache = [:] }

  private func keep(_ reference: Reference, _ words: [UInt64]) {
    if cache.count >= Self.cachedNodes { cache = [:] }
    cache[reference.id] = (reference, words)
  }

  private static func context(_ reference: Reference, _ tree: UInt8) -> [UInt8] {
    var writer = ByteWriter(capacity: 64)
    writer.fixed(utf8: "atrest.node.v1")
    writer.integer(tree)
    for word in reference.words { writer.integer(word) }
    return writer.bytes
  }
}
