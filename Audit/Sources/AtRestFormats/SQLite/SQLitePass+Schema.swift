extension SQLitePass {
  /// The table that names all others. Its root is the first page.
  static let schemaTable = SQLiteTable(
    name: "sqlite_master",
    columns: ["type", "name", "tbl_name", "rootpage", "sql"].map { .init(name: $0, type: "") },
    isWithoutRowID: false, rowIDColumn: nil, rootPage: 1, storedColumns: [0, 1, 2, 3, 4],
    realColumns: [])

  func schema() -> (tables: [SQLiteTable], indices: [SQLiteIndex]) {
    var tables: [SQLiteTable] = []
    var indices: [SQLiteIndex] = []
    forEachRow(of: Self.schemaTable) { row in
      guard tables.count + indices.count < SQLiteFile.schemaLimit else {
        return skips.add(
          "Tables and indices after the first \(SQLiteFile.schemaLimit) are skipped.")
      }
      guard let type = row.values[0].string, let name = row.values[1].string else { return }
      var root: Int?
      if case .integer(let number) = row.values[3], number > 0 { root = Int(number) }
      switch (type, root) {
      case ("table", _):
        tables.append(table(name, root: root, sql: row.values[4]))
      case ("index", let root?):
        let table = row.values[2].string ?? ""
        indices.append(SQLiteIndex(name: name, table: table, rootPage: root))
      default: break
      }
    }
    return (tables, indices)
  }

  private func table(_ name: String, root: Int?, sql: SQLiteValue) -> SQLiteTable {
    var text: ArraySlice<UInt8> = []
    if case .text(let bytes) = sql { text = bytes }
    let statement = SQLiteStatement(text)
    if statement.columns.isEmpty, !statement.isVirtual {
      skips.add("The columns of \(name) cannot be determined.")
    }
    return SQLiteTable(
      name: name, columns: statement.columns, isWithoutRowID: statement.isWithoutRowID,
      rowIDColumn: statement.rowIDColumn, rootPage: statement.isVirtual ? nil : root,
      storedColumns: statement.storedColumns,
      realColumns: statement.columns.indices.filter { statement.columns[$0].isReal },
      isContentless: statement.isContentless)
  }
}
