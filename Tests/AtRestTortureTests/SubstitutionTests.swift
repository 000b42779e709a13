import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// An attacker who can write the database file, and has no key, moves valid parts of it to other
/// places.
///
/// Every manipulation is made while the keychain is closed and again while one is open. It is
/// reverted at the end, when everything must be readable again; this is the control.
@Suite struct SubstitutionTests {
  static let identity = ApplicationIdentity("torture")
  static let eva = key("eva")
  static let adam = key("adam")
  static let other = PrimaryKey.genericPassword(service: "other", account: "zoe")

  static func key(_ account: String) -> PrimaryKey {
    .genericPassword(service: "mail", account: account)
  }

  /// A store with three items, and raw access to its rows.
  final class Target {
    let scratch: Scratch
    private let raw: DatabaseQueue
    private(set) var keybag: Keybag
    private(set) var keychain: Keychain

    init() throws {
      scratch = try Scratch()
      keybag = try Keybag.create(
        at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device),
        passcode: SecretBytes(utf8: "passcode"), options: .init(kdf: .forTesting))
      keychain = try Keychain.open(keybag, identity: identity)
      for key in [eva, adam, other] {
        try keychain.add(key, secret: SecretBytes(utf8: "of \(key.attributes.account ?? "")"))
      }
      raw = try DatabaseQueue(path: scratch.store.appendingPathComponent("keychain.db").path)
    }

    deinit { close() }

    func close() {
      keychain.close()
      keybag.close()
    }

    func reopen(acceptingOlder: Bool = false, unlocking: Bool = true) throws {
      close()
      keybag = try Keybag.open(
        at: scratch.store, device: FileDeviceKey.openOrCreate(in: scratch.device))
      if unlocking { try keybag.unlock(passcode: SecretBytes(utf8: "passcode")) }
      keychain = try Keychain.open(
        keybag, identity: identity, acceptingOlder: acceptingOlder)
    }

    /// Makes the index merge its changes: adds more than it keeps, and deletes that again.
    func merge() throws {
      let keys = (0..<2_500).map { key("bulk \($0)") }
      let secret = SecretBytes(utf8: "x")
      try keychain.transaction { for key in keys { try keychain.add(key, secret: secret) } }
      try keychain.transaction { for key in keys { try keychain.delete(key) } }
    }

    func execute(_ sql: String) throws { try raw.write { try $0.execute(sql: sql) } }

    func rows(_ table: String, _ condition: String = "1") throws -> [Row] {
      try raw.read { try Row.fetchAll($0, sql: "SELECT * FROM \(table) WHERE \(condition)") }
    }

    func number(of key: PrimaryKey) throws -> Int64 {
      let data = try keychain.item(for: key).reference.data
      return data.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    func put(_ rows: [Row], into table: String) throws {
      try raw.write { database in
        for row in rows {
          let marks = Array(repeating: "?", count: row.count).joined(separator: ",")
          try database.execute(
            sql: "INSERT OR REPLACE INTO \(table) VALUES (\(marks))",
            arguments: StatementArguments(row.databaseValues))
        }
      }
    }

    func replace(_ table: String, by rows: [Row]) throws {
      try execute("DELETE FROM \(table)")
      try put(rows, into: table)
    }

    func code(_ key: PrimaryKey) -> String {
      do {
        // The secret of an item without access control is read without its metadata.
        _ = try keychain.item(for: key)
        let text = String(copying: try keychain.secret(for: key)) ?? ""
        return text.hasPrefix("of \(key.attributes.account ?? "")") ? "right" : "WRONG \(text)"
      } catch let error as AtRestError {
        return error.code.rawValue
      } catch {
        return "\(error)"
      }
    }
  }

  /// Manipulates the store, looks at the three items (eva, adam, zoe), reverts the change, and
  /// looks again.
  private func attack(
    _ expected: [String], prepare: (Target) throws -> Void = { _ in },
    _ manipulate: (Target) throws -> Void
  ) throws {
    for isOpen in [false, true] {
      let target = try Target()
      try prepare(target)
      let keys = [Self.eva, Self.adam, Self.other]
      let before = keys.map(target.code)
      let saved = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
      try manipulate(target)
      if !isOpen { try target.reopen() }
      #expect(keys.map(target.code) == expected, "open: \(isOpen)")
      for (table, rows) in saved { try target.replace(table, by: rows) }
      if !isOpen { try target.reopen() }
      #expect(keys.map(target.code) == before, "control, open: \(isOpen)")
    }
  }

  @Test(arguments: ["secret", "metadata", "key", "generation", "info, scope", "key, secret"])
  func columnsSwapped(_ columns: String) throws {
    try attack(["damaged", "damaged", "right"]) { target in
      let pair = [try target.number(of: Self.eva), try target.number(of: Self.adam)]
      let list: [String] = columns.split(separator: ",").map {
        let name = $0.trimmingCharacters(in: .whitespaces)
        return "\(name) = (SELECT \(name) FROM copy WHERE copy.id = \(pair[0] + pair[1]) - item.id)"
      }
      let assignments: String = list.joined(separator: ", ")
      try target.execute(
        """
        CREATE TABLE copy AS SELECT * FROM item;
        UPDATE item SET \(assignments) WHERE id IN (\(pair[0]), \(pair[1]));
        DROP TABLE copy;
        """)
    }
  }

  @Test func wholeRowsSwapped() throws {
    try attack(["damaged", "damaged", "right"]) { target in
      let pair = [try target.number(of: Self.eva), try target.number(of: Self.adam)]
      try target.execute(
        """
        UPDATE item SET id = -1 WHERE id = \(pair[0]);
        UPDATE item SET id = \(pair[0]) WHERE id = \(pair[1]);
        UPDATE item SET id = \(pair[1]) WHERE id = -1;
        """)
    }
  }

  @Test func olderVersionPutBack() throws {
    nonisolated(unsafe) var old: [Row] = []
    try attack(["damaged", "right", "right"]) { target in
      old = try target.rows("item", "id = \(target.number(of: Self.eva))")
      try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, new"))
    } _: { target in
      try target.put(old, into: "item")
    }
  }

  /// A row that the index does not name is not an item.
  @Test func deletedRowPutBack() throws {
    let target = try Target()
    let old = try target.rows("item", "id = \(target.number(of: Self.eva))")
    try target.keychain.delete(Self.eva)
    #expect(target.code(Self.eva) == "not-found")
    try target.put(old, into: "item")
    #expect(target.code(Self.eva) == "not-found")
    #expect(try target.keychain.verify().problems.count == 1)
    try target.reopen()
    #expect(target.code(Self.eva) == "not-found")
    #expect(target.code(Self.adam) == "right")
    try target.keychain.add(Self.eva, secret: SecretBytes(utf8: "of eva, again"))
    #expect(target.code(Self.eva) == "right")
    try target.execute("DELETE FROM item WHERE id = \((old[0]["id"] as Int64))")
    #expect(try target.keychain.verify().problems.isEmpty)
  }

  @Test func rowDeletedBehindTheBack() throws {
    try attack(["damaged", "right", "right"]) { target in
      let number = try target.number(of: Self.eva)
      let reference = try target.keychain.item(for: Self.eva).reference
      try target.execute("DELETE FROM item WHERE id = \(number)")
      #expect(throws: AtRestError.self) { _ = try target.keychain.item(for: reference) }
      do {
        _ = try target.keychain.item(for: reference)
      } catch let error as AtRestError {
        #expect(error.code == .damaged)
      }
    }
  }

  /// The nodes of the index are replaced by older ones. The items that they authenticate are then
  /// damaged, whichever row exists.
  @Test(arguments: [false, true]) func nodesPutBack(_ withRow: Bool) throws {
    let target = try Target()
    try target.merge()
    let rows = try target.rows("item")
    let nodes = try target.rows("node", "id > 0")
    try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, new"))
    try target.merge()
    let present = try target.rows("node", "id > 0")
    let presentRows = try target.rows("item")
    // A node that splits continues under new numbers, so adding the older nodes to the current ones
    // may replace none on the way to the item.
    try target.replace("node", by: nodes + target.rows("node", "id = 0"))
    if withRow { try target.put(rows, into: "item") }
    // The open keychain has the nodes that the root names in its cache.
    #expect(target.code(Self.eva) == (withRow ? "damaged" : "right"))
    try target.reopen()
    #expect(target.code(Self.eva) == "damaged")
    try target.replace("node", by: present + target.rows("node", "id = 0"))
    try target.put(presentRows, into: "item")
    try target.reopen()
    #expect([Self.eva, Self.adam, Self.other].map(target.code) == ["right", "right", "right"])
  }

  @Test(arguments: [false, true]) func olderStatePutBack(_ withAllElse: Bool) throws {
    let target = try Target()
    let tables = withAllElse ? ["item", "change", "node"] : ["change", "node"]
    let old = try tables.map { ($0, try target.rows($0)) }
    try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, new"))
    let present = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
    for (table, rows) in old { try target.replace(table, by: rows) }
    // This applies to every call, not only the first, and a write that fails in between changes
    // nothing.
    for _ in 0..<2 {
      #expect(target.code(Self.eva) == "rolled-back")
      #expect(throws: AtRestError.self) { try target.keychain.delete(Self.key("nobody")) }
    }
    let error = #expect(throws: AtRestError.self) { try target.reopen() }
    #expect(error?.code == .rolledBack)
    for (table, rows) in present { try target.replace(table, by: rows) }
    try target.reopen()
    #expect(target.code(Self.eva) == "right")
  }

  @Test func emptiedBehindTheBack() throws {
    let target = try Target()
    for table in ["item", "change", "node"] { try target.execute("DELETE FROM \(table)") }
    for _ in 0..<2 {
      #expect(target.code(Self.eva) == "damaged")
      let error = #expect(throws: AtRestError.self) {
        try target.keychain.add(Self.key("new"), secret: SecretBytes(utf8: "x"))
      }
      #expect(error?.code == .damaged)
    }
    let error = #expect(throws: AtRestError.self) { try target.reopen() }
    #expect(error?.code == .rolledBack)
  }

  @Test func olderFileAcceptedOnPurpose() throws {
    let target = try Target()
    let old = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
    try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, discarded"))
    let future = try target.rows("item", "id = \(target.number(of: Self.eva))")
    let futureChanges = try target.rows("change")
    for (table, rows) in old { try target.replace(table, by: rows) }
    let error = #expect(throws: AtRestError.self) { try target.reopen() }
    #expect(error?.code == .rolledBack)
    try target.reopen(acceptingOlder: true)
    #expect(String(copying: try target.keychain.secret(for: Self.eva)) == "of eva")
    try target.keychain.update(Self.adam, secret: SecretBytes(utf8: "of adam, after"))
    try target.reopen()
    #expect(target.code(Self.adam) == "right")
    // The discarded future does not return.
    let kept = try target.rows("item")
    let keptChanges = try target.rows("change")
    try target.put(future, into: "item")
    #expect(target.code(Self.eva) == "damaged")
    try target.put(futureChanges, into: "change")
    let mixed = #expect(throws: AtRestError.self) { try target.reopen() }
    #expect(mixed?.code == .damaged)
    try target.replace("item", by: kept)
    try target.replace("change", by: keptChanges)
    try target.reopen()
    #expect(target.code(Self.eva) == "right")
  }

  /// Accepting an older state requires the passcode.
  @Test func olderFileIsNotAcceptedWhileLocked() throws {
    let target = try Target()
    let old = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
    try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, discarded"))
    for (table, rows) in old { try target.replace(table, by: rows) }
    let error = #expect(throws: AtRestError.self) {
      try target.reopen(acceptingOlder: true, unlocking: false)
    }
    #expect(error?.code == .locked)
    // Control: the refused opening changed nothing, and the passcode accepts the state.
    try target.reopen(acceptingOlder: true)
    #expect(target.code(Self.eva) == "right")
  }

  /// The device fell behind, as after a power failure. The next opening updates the device, and
  /// from then on an older state is detected.
  @Test func theNextOpeningClosesTheWindow() throws {
    let target = try Target()
    let counter = try #require(
      try FileManager.default.contentsOfDirectory(
        at: target.scratch.device, includingPropertiesForKeys: nil
      ).first { $0.pathExtension == "counter" })
    let behind = try Data(contentsOf: counter)
    let old = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
    try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, new"))
    target.close()
    try behind.write(to: counter)
    let present = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
    // Control: within the window, the older state is accepted.
    for (table, rows) in old { try target.replace(table, by: rows) }
    try target.reopen()
    target.close()
    for (table, rows) in present { try target.replace(table, by: rows) }
    try target.reopen()
    target.close()
    for (table, rows) in old { try target.replace(table, by: rows) }
    let error = #expect(throws: AtRestError.self) { try target.reopen() }
    #expect(error?.code == .rolledBack)
  }

  /// Two histories of one store reach the same change. The device distinguishes them, and a row of
  /// one history does not open in the other.
  @Test func anotherHistoryIsFoundOut() throws {
    let target = try Target()
    target.close()
    let fork = try target.scratch.copy()
    try target.reopen()
    try target.keychain.update(Self.eva, secret: SecretBytes(utf8: "of eva, here"))
    let here = try ["item", "change", "node"].map { ($0, try target.rows($0)) }
    target.close()
    let device = try FileDeviceKey.openOrCreate(in: fork.device)
    let keybag = try Keybag.open(at: fork.store, device: device)
    try keybag.unlock(passcode: SecretBytes(utf8: "passcode"))
    let other = try Keychain.open(keybag, identity: Self.identity)
    try other.update(Self.eva, secret: SecretBytes(utf8: "of eva, there"))
    other.close()
    let queue = try DatabaseQueue(path: fork.store.appendingPathComponent("keychain.db").path)
    let there = try queue.read { database in
      try ["item", "change", "node"].map {
        ($0, try Row.fetchAll(database, sql: "SELECT * FROM \($0)"))
      }
    }
    try queue.close()
    // Only the item's row, which has the same number and the same transaction.
    try target.replace("item", by: there[0].1)
    try target.reopen()
    #expect(target.code(Self.eva) == "damaged")
    target.close()
    for (table, rows) in there { try target.replace(table, by: rows) }
    let error = #expect(throws: AtRestError.self) { try target.reopen() }
    #expect(error?.code == .rolledBack)
    for (table, rows) in here { try target.replace(table, by: rows) }
    try target.reopen()
    #expect(String(copying: try target.keychain.secret(for: Self.eva)) == "of eva, here")
  }

  /// The owner names no group. A locked class is not reported as not found.
  @Test func ownerIsToldTheReason() throws {
    let target = try Target()
    let owner = try Keychain.open(target.keybag, identity: .owner(defaultGroup: "torture"))
    defer { owner.close() }
    #expect(String(copying: try owner.secret(for: Self.eva)) == "of eva")
    target.keybag.lock()
    let error = #expect(throws: AtRestError.self) { _ = try owner.secret(for: Self.eva) }
    #expect(error?.code == .locked)
  }
}
