extension SQLitePass {
  /// The size in bytes at which a value is cut. A row is cut at four times this size.
  static let valueLimit = 16 << 20
  private static let rowLimit = 64 << 20

  /// Visits the rows of a table that has pages of its own.
  func forEachRow<Failure: Error>(
    of table: SQLiteTable, _ visit: (SQLiteRow) throws(Failure) -> Void
  ) throws(Failure) {
    guard let root = table.rootPage else { return }
    let isPlain = table.storedColumns.elementsEqual(table.columns.indices)
    var values: [SQLiteValue] = []
    try walk(root: root, isIndex: table.isWithoutRowID, name: table.name) {
      page, tree throws(Failure) in
      try forEachCell(in: page, tree, name: table.name) { cell throws(Failure) in
        values.removeAll(keepingCapacity: true)
        let isWhole =
          cell.overflow == nil
          ? SQLiteRecord.read(page.bytes, cell.local, storage.header.encoding, into: &values)
          : readOverflowing(cell, in: page, name: table.name, into: &values)
        if !isWhole { skips.add("Page \(page.number) of \(table.name) contains a damaged record.") }
        if !isPlain || values.count < table.columns.count {
          padding -= table.columns.count
          guard padding >= 0 else {
            return skips.add("Too many rows of \(table.name) lack columns: the rest is skipped.")
          }
        }
        if !isPlain { values = table.arranged(values) }
        while values.count < table.columns.count { values.append(.null) }
        table.complete(&values, rowID: cell.rowID)
        try visit(SQLiteRow(rowID: cell.rowID, values: values))
      }
    }
  }

  /// Reads a record that continues on overflow pages.
  ///
  /// - Returns: True if all of the record could be read. A truncated value counts as read.
  private func readOverflowing(
    _ cell: SQLiteCell, in page: SQLitePage, name: String, into values: inout [SQLiteValue]
  ) -> Bool {
    var position = cell.local.lowerBound
    guard let size = page.bytes.sqliteVarint(at: &position, limit: cell.local.upperBound),
      size <= UInt64(SQLiteRecord.headerLimit)
    else { return false }
    var record = SQLiteOverflow(cell, in: page, self, name: name)
    let header = record.read(Int(size), keeping: Int(size))
    guard header.count == Int(size) else { return false }
    position -= cell.local.lowerBound
    var room = Self.rowLimit
    while position < header.count {
      guard let type = header.sqliteVarint(at: &position, limit: header.count),
        let length = SQLiteRecord.size(ofType: type)
      else { return false }
      let limit = min(Self.valueLimit, room)
      let bytes = record.read(length, keeping: limit)
      room -= bytes.count
      if bytes.count < length {
        let isCut = bytes.count == limit
        if isCut {
          skips.add(
            "A value of \(length) bytes in \(name), row \(cell.rowID ?? 0), is cut at \(limit).")
        }
        guard type >= 12 else { return false }
        values.append(
          SQLiteRecord.value(ofType: type, bytes, 0..<bytes.count, storage.header.encoding))
        guard isCut else { return false }
      } else {
        values.append(
          SQLiteRecord.value(ofType: type, bytes, 0..<length, storage.header.encoding))
      }
    }
    return true
  }
}

extension SQLiteTable {
  /// Adds what a record does not store: the row's key, and the type of whole numbers in real
  /// columns.
  func complete(_ values: inout [SQLiteValue], rowID: Int64?) {
    for column in realColumns where column < values.count {
      if case .integer(let number) = values[column] { values[column] = .real(Double(number)) }
    }
    if let rowID, let column = rowIDColumn { values[column] = .integer(rowID) }
  }

  /// Arranges the values of a record in the order of the columns.
  func arranged(_ stored: [SQLiteValue]) -> [SQLiteValue] {
    guard !columns.isEmpty else { return stored }
    var result = Array(repeating: SQLiteValue.null, count: columns.count)
    for (index, value) in stored.enumerated() {
      if index < storedColumns.count {
        result[storedColumns[index]] = value
      } else {
        result.append(value)
      }
    }
    return result
  }
}
