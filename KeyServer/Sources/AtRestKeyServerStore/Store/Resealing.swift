import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Seals all rows under other keys, inside a transaction.
struct Resealing {
  private let connection: any DatabaseConnection
  private let keys: RowKeys

  init(_ connection: any DatabaseConnection, _ keys: RowKeys) {
    self.connection = connection
    self.keys = keys
  }

  /// Seals the rows again, and checks that they are the ones that the server wrote: what was put back must
  /// not look new.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack``; ``AtRestError/Code/damaged``.
  func rotate(from former: RowKeys) throws {
    var state: StateRecord?
    let digests = try seal { table, row in
      let row = try row.opened(table, former)
      if table == .state, row.id == KeyServerStore.stateID { state = try StateRecord(row) }
      return row
    }
    let altered = Table.logged.filter { table in
      state.map { !digests[table, default: TableDigest()].hasSameRows(as: $0[table]) } ?? true
    }
    guard altered.isEmpty else {
      throw AtRestError(
        .rolledBack,
        "Rows were put back, added or removed in: \(altered.map(\.name).joined(separator: ", ")). Nothing was changed.",
        remedy:
          "Find out who has access to the database. Revoke again what was revoked, accept the tables "
          + "with atrest-keyserver accept-older, and rotate again.")
    }
  }

  /// Brings the rows of version 1, which had no stamps, to version 2.
  func migrate(from former: RowKeys) throws {
    let digests = try seal { table, row in
      var contents = SecretHolder(
        try former.open(
          row.box, table, id: row.id, owner: row.owner, time: row.time, edition: row.edition,
          stamp: nil))
      switch table {
      case .audit:
        // No changes.
        contents = SecretHolder(SecretBytes(Data(copying: contents.bytes) + Data(count: 4)))
      case .state where row.id == KeyServerStore.stateID:
        var digests = MessageWriter()
        for _ in Table.logged { TableDigest().write(to: &digests) }
        contents = SecretHolder(SecretBytes(Data(copying: contents.bytes) + digests.data))
      default: break
      }
      let isStamped = table.isLogged && row.id != Table.lastAccountID
      return Row(
        id: row.id, owner: row.owner, time: row.time, edition: row.edition,
        stamp: isStamped ? Row.randomStamp() : 0, contents: contents)
    }
    let select = Row.select(.state, KeyServerStore.stateID)
    guard let values = try connection.run([select])[0].first else {
      throw KeyServerStore.missingState
    }
    let row = try Row.Sealed(values).opened(.state, keys)
    var state = try StateRecord(row)
    for table in Table.logged { state[table].accept(digests[table, default: TableDigest()]) }
    _ = try connection.run([row.update(.state, contents: state.contents, keys)])
  }

  /// Seals each row that a closure opens, apart from the root key's.
  ///
  /// - Returns: The digests of the tables.
  private func seal(_ open: (Table, Row.Sealed) throws -> Row) throws -> [Table: TableDigest] {
    var digests: [Table: TableDigest] = [:]
    let page = 500
    for table in Table.allCases {
      var last = Data()
      while true {
        let rows = try connection.run(
          "SELECT \(Row.Sealed.columns) FROM \(table.name) WHERE id > $1 ORDER BY id LIMIT \(page)",
          [.bytes(last)]
        ).map { Row.Sealed($0) }
        var updates: [Statement] = []
        for sealed in rows where table != .state || sealed.id != KeyServerStore.realmID {
          let row = try open(table, sealed)
          if table.isLogged, row.id != Table.lastAccountID {
            digests[table, default: TableDigest()].add(keys.digest(table, row.id, row.stamp))
          }
          updates.append(try row.update(table, contents: row.contents.bytes, keys))
        }
        if !updates.isEmpty { _ = try connection.run(updates) }
        guard rows.count == page, let end = rows.last else { break }
        last = end.id
      }
    }
    return digests
  }
}
