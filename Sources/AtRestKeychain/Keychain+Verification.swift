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
  /// Checks every row and every node of the index against each other, and opens what is unlocked,
  /// application passwords excepted. Changes nothing, and asks nobody.
  ///
  /// Takes about 20 µs an item, with the database held.
  ///
  /// - Throws: ``AtRestError/Code/system``; ``AtRestError/Code/damaged`` if nothing can be read.
  public func verify() throws -> VerificationReport {
    try database.read { session in
      var problems: [VerificationReport.Problem] = []
      func report(_ entry: IndexEntry?, _ message: String) {
        problems.append(.init(reference: entry.map(reference), message: message))
      }
      try session.statements.statement("PRAGMA integrity_check(16)").run { statement in
        let line = String(decoding: statement.bytes(0), as: UTF8.self)
        if line != "ok" { report(nil, "SQLite: \(line)") }
        return true
      }
      for object in try KeychainSchema.foreignObjects(session.statements) {
        report(nil, "The schema is not as it was made: \(object).")
      }
      for error in try session.index.damagedTerms() { report(nil, error.message) }
      var entries: [IndexEntry] = []
      try session.index.forEach(damaged: { report(nil, $0.message) }, { entries.append($0) })
      let unreadable = session.index.count - entries.count
      if unreadable > 0 { report(nil, "Damaged nodes of the index cover \(unreadable) items.") }
      var locked = 0
      for entry in entries.sorted(by: { $0.id < $1.id }) {
        do {
          try check(entry, session, &locked)
        } catch let error as AtRestError {
          report(entry, error.message)
        }
      }
      let known = Set(entries.map(\.id))
      var foreign = 0
      try session.statements.statement("SELECT id FROM item").run { statement in
        if !known.contains(statement.integer(0)) { foreign += 1 }
        return true
      }
      // Without its node nobody can tell whether a row belongs there.
      if foreign > unreadable {
        report(nil, "\(foreign - unreadable) rows are in the table of items and are no items.")
      }
      return VerificationReport(
        itemCount: entries.count, lockedCount: locked, problems: problems)
    }
  }

  private func check(_ entry: IndexEntry, _ session: Session, _ locked: inout Int) throws {
    let row = try row(entry, session, words: "number \(entry.id)")
    let (itemClass, accessibility) = try entry.info.parts()
    guard keybag.isAvailable(accessibility.keyClass, set: classKeys.set) else {
      locked += 1
      return
    }
    let metadata = try openMetadata(row)
    _ = try openPayload(row)?.count
    guard try !session.index.names(session.unknownTerm, entry.key) else { return }
    for term in try terms(itemClass, metadata.attributes) {
      guard try session.index.names(term, entry.key) else {
        throw AtRestError.damaged("Item \(entry.id) is missing from the index.")
      }
    }
  }

  /// Accepts the rows as they stand: makes the index anew from them, and removes what does not belong
  /// into the schema.
  ///
  /// What was put back to an older version is accepted with it, so look at ``verify()`` first, and
  /// prefer a backup. Rows that do not open stay, and go on to be refused until they are deleted or
  /// set again.
  ///
  /// - Returns: What was accepted, with the rows that nothing vouched for.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  public func repair() throws -> RepairReport {
    var unvouched: [RepairReport.Row] = []
    let count = try database.rebuild { row, isVouchedFor in
      let metadata = try? openMetadata(row)
      let itemClass = try? row.info.parts().0
      if !isVouchedFor {
        var modified: Date?
        if case .date(let date) = metadata?.attributes[.modificationDate] { modified = date }
        unvouched.append(
          RepairReport.Row(
            reference: reference(row.entry), modified: modified,
            primaryKey: itemClass.flatMap { metadata?.primaryKey($0) }))
      }
      guard let metadata, let itemClass else { return nil }
      return try? terms(itemClass, metadata.attributes)
    }
    return RepairReport(accepted: count, unvouched: unvouched)
  }

  /// Repairs a keychain that does not open, because the root of its index is damaged or its schema is
  /// not its own.
  ///
  /// - Returns: As ``repair()``.
  /// - Throws: As ``open(_:identity:authenticator:acceptingOlder:)`` for other damage.
  @discardableResult
  public static func repair(_ keybag: Keybag) throws -> RepairReport {
    let keychain = try Keychain(keybag, identity: .owner(), opening: .rebuilding)
    defer { keychain.close() }
    return try keychain.repair()
  }
}

/// What a repair accepted.
public struct RepairReport: Sendable {
  /// A row that was accepted although nothing vouched for it: it may be an older version.
  public struct Row: Sendable {
    /// The item.
    public let reference: PersistentReference
    /// When the item was changed last, by its own account; nil if the row does not open.
    public let modified: Date?
    /// Its primary key; nil if the row does not open.
    public let primaryKey: PrimaryKey?
  }

  /// How many rows were accepted.
  public let accepted: Int
  /// Those among them that the index did not vouch for.
  public let unvouched: [Row]
}
