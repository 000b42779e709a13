import AtRestCrypto
import AtRestKeybag
import Foundation

/// What a check of the whole keychain found.
public struct VerificationReport: Sendable {
  /// Something that is not as it was written.
  public struct Problem: Sendable {
    /// The item, where it can be told.
    public let reference: PersistentReference?
    /// What is wrong, in words.
    public let message: String
  }

  /// How many rows were looked at.
  public let itemCount: Int
  /// How many of them are locked now, so that only their place and generation were checked.
  public let lockedCount: Int
  /// What is wrong. Empty: everything is as it was written.
  public let problems: [Problem]
}

/// Checking and mending the database as a whole.
extension Keychain {
  /// Checks every row, index entry and node against the generation tree, and opens what is unlocked,
  /// application passwords excepted. Changes nothing, and asks nobody.
  ///
  /// Takes about 20 µs an item, with the database held.
  ///
  /// - Throws: ``AtRestError/Code/system``; ``AtRestError/Code/damaged`` where nothing can be read.
  public func verify() throws -> VerificationReport {
    try database.read { session in
      var problems: [VerificationReport.Problem] = []
      func report(_ row: ItemRow?, _ message: String) {
        problems.append(.init(reference: row.map(reference), message: message))
      }
      try session.statement("PRAGMA integrity_check(16)").run { statement in
        let line = String(decoding: statement.bytes(0), as: UTF8.self)
        if line != "ok" { report(nil, "SQLite: \(line)") }
        return true
      }
      let damaged = Set(try session.tree.damagedLeaves())
      var seen = Set<UInt64>()
      var covered: [UInt64: Int] = [:]
      var locked = 0
      let all = try session.statement("SELECT \(ItemRow.columns) FROM item ORDER BY id")
      defer { all.reset() }
      while try all.step() {
        guard let row = try? ItemRow(all) else {
          report(nil, "Item \(all.integer(0)) has a class that is not known.")
          continue
        }
        seen.insert(row.treeHash)
        let leaf = session.tree.leaf(of: row.treeHash)
        if damaged.contains(leaf) {
          covered[leaf, default: 0] += 1
          continue
        }
        do {
          try check(row, session, &locked)
        } catch let error as AtRestError {
          report(row, error.message)
        }
      }
      for leaf in damaged.sorted() {
        report(
          nil,
          "Leaf \(leaf) of the generation tree is damaged; it covers \(covered[leaf] ?? 0) items.")
      }
      var missing = 0
      try session.tree.forEach { hash, _ in if !seen.contains(hash) { missing += 1 } }
      if missing > 0 { report(nil, "\(missing) items were taken out of the database.") }
      return VerificationReport(
        itemCount: seen.count, lockedCount: locked, problems: problems)
    }
  }

  private func check(_ row: ItemRow, _ session: Session, _ locked: inout Int) throws {
    _ = try vouchedRow(row.hash, session, words: "number \(row.id)")
    guard keybag.isAvailable(row.accessibility.keyClass) else {
      locked += 1
      return
    }
    let metadata = try openMetadata(row)
    _ = try openPayload(row)?.count
    for term in try terms(row.itemClass, metadata.attributes) {
      var found = false
      try session.statement("SELECT 1 FROM term WHERE hash = ? AND id = ?")
        .run(.integer(term), .integer(row.id)) { _ in
          found = true
          return false
        }
      guard found else {
        throw AtRestError.damaged("Item \(row.id) is missing from the index.")
      }
    }
  }

  /// Accepts the rows as they stand: makes generation tree and index anew from them.
  ///
  /// What was put back to an older version is accepted with it, so look at ``verify()`` first. Rows
  /// that do not open stay, and go on to be refused until they are deleted or set again.
  ///
  /// - Returns: How many rows were accepted.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func repair() throws -> Int {
    try database.rebuild { row in
      guard let metadata = try? openMetadata(row) else { return [] }
      return (try? terms(row.itemClass, metadata.attributes)) ?? []
    }
  }

  /// Repairs a keychain that does not open, because the root of its generation tree is damaged.
  ///
  /// - Returns: How many rows were accepted.
  /// - Throws: As ``open(_:identity:authenticator:acceptingOlder:)`` for other damage.
  @discardableResult
  public static func repair(_ keybag: Keybag) throws -> Int {
    let keychain = try Keychain(keybag, identity: .owner(), opening: .rebuilding)
    defer { keychain.close() }
    return try keychain.repair()
  }
}
