import AtRestCrypto
import AtRestKeybag
import Foundation

/// Rebuilding a damaged index.
extension KeychainDatabase {
  /// Rebuilds the index from the rows as they are.
  ///
  /// - Parameter terms: A closure that returns the terms of a row, or nil if the row does not open.
  ///   The closure's second argument is true if the row matched the former index.
  func rebuild(terms: (ItemRow, Bool) -> ItemTerms?) throws -> Int {
    try exclusively { session in
      let count: Int
      try session.statements.statement("BEGIN IMMEDIATE").run()
      do {
        try KeychainSchema.removeForeignObjects(session.statements)
        try KeychainSchema.check(session.statements, path: path)
        count = try rebuild(session, terms)
        try session.index.flush()
        try session.statements.statement("COMMIT").run()
      } catch {
        try? session.statements.statement("ROLLBACK").run()
        dataVersion = 0
        session.index.rollBack()
        throw error
      }
      session.index.didCommit()
      try keybag.checkKept()
      schemaCookie = try KeychainSchema.cookie(session.statements)
      dataVersion = connection.dataVersion
      try anchor.write(session.index.head, durably: true)
      KeychainLog.logger.notice(
        "Rebuilt the index", metadata: ["path": "\(path)", "items": "\(count)"])
      return count
    }
  }

  private func rebuild(
    _ session: Session, _ terms: (ItemRow, Bool) -> ItemTerms?
  ) throws -> Int {
    let index = session.index
    var newest = index.head.counter
    if let seen = try? anchor.read() { newest = max(newest, seen.counter) }
    var rows: [(row: ItemRow, isVouchedFor: Bool)] = []
    try session.forEachRow { row in
      var row = row
      let entry = index.isLoaded ? try? index.entry(row.entry.key) : nil
      // An implausibly large number is damage, and would exhaust the counter.
      if row.generation < newest + 1 << 40 { newest = max(newest, row.generation) }
      // Computing the terms requires only the metadata, so the secrets are not held in memory.
      (row.wrappedKey, row.secret) = (Data(), Data())
      rows.append((row, entry == row.entry))
    }
    index.reset(
      counter: newest + 1024, nextID: UInt64(max(0, rows.map(\.row.id).max() ?? 0)) + 1 << 20)
    index.setKeys(
      passcodeClassID: keybag.keyID(of: .whenPasscodeSetThisDeviceOnly) ?? 0,
      keySet: UInt64(classKeys.set))
    for table in ["node", "change"] {
      try session.statements.statement("DELETE FROM \(table)").run()
    }
    let vouchedFor = Set(rows.filter(\.isVouchedFor).map(\.row.entry.key))
    for (row, isVouchedFor) in rows {
      // If an item has two rows, the row that matched the former index is used. If neither row
      // matched the index, the later row is used.
      if !isVouchedFor && vouchedFor.contains(row.entry.key) { continue }
      if let other = try index.entry(row.entry.key), other.generation > row.generation { continue }
      try index.set(row.entry)
      let opened = terms(row, isVouchedFor)
      if let opened { try session.repair(opened, of: row) }
      if let known = opened ?? (try? session.terms(of: row)) {
        for term in known.indexed { index.set(term, names: row.entry.key, true) }
      } else {
        index.set(session.unknownTerm, names: row.entry.key, true)
      }
    }
    return index.count
  }
}
