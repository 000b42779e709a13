import AtRestCrypto
import AtRestKeybag
import Foundation

/// Checking and repairing the database as a whole.
extension Keychain {
  /// Checks all rows and index nodes against each other, and opens the rows that are not locked.
  /// Secrets under an application password are not opened, and the user is not asked. The check
  /// changes nothing. Like every call, it first completes what a change of the passcode requires of
  /// the items.
  ///
  /// The check takes about 20 µs per item. The database is locked during the check.
  ///
  /// - Throws: ``AtRestError/Code/system``; ``AtRestError/Code/damaged`` if nothing can be read.
  package func verify() throws -> VerificationReport {
    try directly("checks no stores") { try $0.verify() }
  }

  /// Accepts the rows as they are: rebuilds the index from them, and removes everything that does
  /// not belong in the schema.
  ///
  /// Rows that were restored to an older version are accepted too. Run `verify()` first, and prefer
  /// a backup. Damaged rows are kept, but cannot be read until they are deleted or stored again.
  ///
  /// - Returns: The number of accepted rows, and the rows that did not match the former index.
  /// - Throws: ``AtRestError/Code/system``.
  @discardableResult
  package func repair() throws -> RepairReport {
    try directly("repairs no stores") { try $0.repair() }
  }

  /// Repairs a keychain that does not open because the root of its index is damaged or its schema
  /// contains foreign objects.
  ///
  /// - Returns: The report of `repair()`.
  /// - Throws: The errors of `open(_:identity:authenticator:acceptingOlder:usesAgent:)` if the
  ///   keychain does not open for another reason.
  @discardableResult
  package static func repair(_ keybag: Keybag) throws -> RepairReport {
    let keychain = try Keychain(keybag, identity: .owner(), opening: .rebuilding)
    defer { keychain.close() }
    return try keychain.repair()
  }
}

extension StoreBackend {
  fileprivate func verify() throws -> VerificationReport {
    try reading(with: .unattended) { reader in
      let session = reader.finder.session
      var problems: [VerificationReport.Problem] = []
      func report(_ entry: IndexEntry?, _ message: String) {
        problems.append(.init(reference: entry.map(reader.finder.reference), message: message))
      }
      try session.statements.statement("PRAGMA integrity_check(16)").run { statement in
        let line = String(decoding: statement.bytes(0), as: UTF8.self)
        if line != "ok" { report(nil, "SQLite: \(line)") }
        return true
      }
      for object in try KeychainSchema.foreignObjects(session.statements) {
        report(nil, "The schema is not as AtRest creates it: \(object).")
      }
      try session.statements.statement(Self.differingCopies).run { statement in
        let part = String(decoding: statement.bytes(0), as: UTF8.self)
        report(nil, "\(part) of the index and its copy differ.")
        return true
      }
      for error in try session.index.damagedTerms() { report(nil, error.message) }
      var entries: [IndexEntry] = []
      try session.index.forEach(damaged: { report(nil, $0.message) }, { entries.append($0) })
      let unreadable = session.index.count - entries.count
      if unreadable > 0 { report(nil, "Damaged nodes of the index cover \(unreadable) items.") }
      var locked = 0
      for entry in entries.sorted(by: { $0.id < $1.id }) {
        do {
          if try !reader.finder.verify(entry) { locked += 1 }
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
      // Rows without an entry may belong to the items that damaged nodes cover.
      if foreign > unreadable {
        report(nil, "\(foreign - unreadable) rows of the database belong to no item.")
      }
      return VerificationReport(
        itemCount: entries.count, lockedCount: locked, problems: problems)
    }
  }

  private static let differingCopies = """
    SELECT 'Change ' || -copy.id FROM change AS copy LEFT JOIN change AS row ON row.id = -copy.id
      WHERE copy.id < 0 AND row.box IS NOT copy.box
    UNION ALL
    SELECT 'The root' FROM node AS copy LEFT JOIN node AS row ON row.id = 0
      WHERE copy.id = -1 AND row.box IS NOT copy.box
    """

  fileprivate func repair() throws -> RepairReport {
    var unvouched: [RepairReport.Row] = []
    let count = try database.rebuild { row, isVouchedFor in
      let metadata = try? boxes.openMetadata(of: row)
      let itemClass = try? row.info.parts().0
      if !isVouchedFor {
        var modified: Date?
        if case .date(let date) = metadata?.attributes[.modificationDate] { modified = date }
        unvouched.append(
          RepairReport.Row(
            reference: row.entry.reference(in: keybag.store.bytes), modified: modified,
            primaryKey: itemClass.flatMap { metadata?.primaryKey($0) }))
      }
      guard let metadata, let itemClass else { return nil }
      return try? database.hashes.terms(itemClass, metadata.attributes)
    }
    return RepairReport(accepted: count, unvouched: unvouched)
  }
}

extension ItemFinder {
  /// Opens an item without asking the user, and checks that each of its terms in the index names
  /// it.
  ///
  /// - Returns: False if the item is locked. Only the terms of a locked item are opened.
  /// - Throws: ``AtRestError/Code/damaged``.
  fileprivate func verify(_ entry: IndexEntry) throws -> Bool {
    let row = try row(of: entry)
    let (itemClass, accessibility) = try entry.info.parts()
    var terms = try session.terms(of: row)
    let isOpen = boxes.classKeys.isAvailable(accessibility)
    if isOpen {
      let metadata = try boxes.openMetadata(of: row)
      try boxes.checkPayload(of: row)
      terms = try session.hashes.terms(itemClass, metadata.attributes)
    }
    guard try !session.index.names(session.unknownTerm, entry.key) else { return isOpen }
    for term in terms.indexed {
      guard try session.index.names(term, entry.key) else {
        throw AtRestError.damaged("Item \(entry.id) is missing from the index.")
      }
    }
    return isOpen
  }
}
