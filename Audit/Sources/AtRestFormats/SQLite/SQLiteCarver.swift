/// Finds rows in bytes that are no longer part of any page structure.
///
/// A complete row is recognised by its lengths, which have to agree. A row whose first four bytes
/// were overwritten by the header of a free block still has the types of its values. It is accepted
/// if it ends where the block ends, or where another row begins.
struct SQLiteCarver {
  private let tables: [Int: [SQLiteTable]]
  private let encoding: SQLiteEncoding
  private let usable: Int
  /// The maximum number of steps per byte. A range that costs more is left as bytes.
  private static let stepsPerByte = 64

  private struct Found {
    let rowID: Int64?
    let tables: [SQLiteTable]
    let types: [UInt64]
    let body: Int
    let end: Int
  }

  init(_ tables: [SQLiteTable], encoding: SQLiteEncoding, usable: Int) {
    let known = tables.filter { !$0.isWithoutRowID && $0.rootPage != nil && $0.columns.count > 0 }
    // Rows of a table with one column would be found everywhere.
    self.tables = Dictionary(grouping: known.filter { $0.storedColumns.count > 1 }) {
      $0.storedColumns.count
    }
    self.encoding = encoding
    self.usable = usable
  }

  /// Finds the rows in a range of a page.
  ///
  /// - Parameter freeBlocks: The free blocks that begin in the range.
  func records(
    in page: SQLitePage, _ range: Range<Int>, freeBlocks: [Range<Int>]
  ) -> [SQLiteRemnant.Record] {
    guard !tables.isEmpty else { return [] }
    var result: [SQLiteRemnant.Record] = []
    var steps = range.count * Self.stepsPerByte
    var blocks = freeBlocks[...]
    var position = range.lowerBound
    var blockEnd = position
    var isBoundary = false
    while position < range.upperBound, steps > 0 {
      while let block = blocks.first, block.lowerBound <= position {
        if block.lowerBound == position {
          isBoundary = true
          blockEnd = min(block.upperBound, range.upperBound)
        }
        blocks.removeFirst()
      }
      var found = whole(at: position, in: page.bytes, end: range.upperBound, &steps)
      if found == nil, isBoundary, position < blockEnd {
        found = headless(at: position, in: page.bytes, end: blockEnd, &steps)
      }
      guard let found else {
        isBoundary = false
        position += 1
        continue
      }
      result.append(record(found, at: position, in: page, end: range.upperBound))
      isBoundary = true
      position = max(found.end, position + 1)
    }
    return result
  }

  private func record(
    _ found: Found, at start: Int, in page: SQLitePage, end: Int
  ) -> SQLiteRemnant.Record {
    var values: [SQLiteValue] = []
    var position = found.body
    for type in found.types {
      let length = SQLiteRecord.size(ofType: type) ?? 0
      let cut = min(length, min(found.end, end) - position)
      guard cut == length || type >= 12 else { break }
      values.append(
        SQLiteRecord.value(ofType: type, page.bytes, position..<position + cut, encoding))
      position += cut
    }
    if let table = found.tables.first, found.tables.count == 1 {
      values = table.arranged(values)
      table.complete(&values, rowID: found.rowID)
    }
    return SQLiteRemnant.Record(
      offset: page.offset + start - page.start, rowID: found.rowID,
      tables: found.tables.map(\.name), values: values)
  }

  private func whole(
    at start: Int, in bytes: [UInt8], end: Int, _ steps: inout Int
  ) -> Found? {
    steps -= 1
    guard bytes[start] > 3,
      let cell = SQLiteCell(at: start, in: bytes, end: end, usable: usable, isIndex: false)
    else { return nil }
    var position = cell.local.lowerBound
    guard let size = bytes.sqliteVarint(at: &position, limit: cell.local.upperBound),
      size > 2, size <= UInt64(cell.local.count)
    else { return nil }
    let body = cell.local.lowerBound + Int(size)
    var types: [UInt64] = []
    var length = Int(size)
    while position < body {
      steps -= 1
      guard let type = bytes.sqliteVarint(at: &position, limit: body),
        let more = SQLiteRecord.size(ofType: type), length + more <= cell.length
      else { return nil }
      length += more
      types.append(type)
    }
    guard length == cell.length else { return nil }
    let known = matching(types, &steps)
    guard !known.isEmpty else { return nil }
    let held = cell.overflow == nil ? cell.end : cell.local.upperBound
    return Found(rowID: cell.rowID, tables: known, types: types, body: body, end: held)
  }

  /// Finds a row whose first four bytes are lost. They held its length, its key, the size of its
  /// header and the first type, as far as these fit.
  private func headless(
    at start: Int, in bytes: [UInt8], end: Int, _ steps: inout Int
  ) -> Found? {
    for candidate in candidates(at: start, in: bytes, end: end, &steps) {
      // A free block may include up to three bytes that are too few for a block of their own.
      if end - candidate.end <= 3 { return candidate }
      if whole(at: candidate.end, in: bytes, end: end, &steps) != nil
        || !candidates(at: candidate.end, in: bytes, end: end, &steps).isEmpty
      {
        return candidate
      }
    }
    return nil
  }

  private func candidates(
    at start: Int, in bytes: [UInt8], end: Int, _ steps: inout Int
  ) -> [Found] {
    var result: [Found] = []
    // Try rows that still have the size of the header.
    for header in start + 4..<start + 9
    where header < end && bytes[header] > 2 && bytes[header] < 0x80 {
      let body = header + Int(bytes[header])
      guard body <= end, let types = types(in: bytes, header + 1..<body, count: nil, &steps) else {
        continue
      }
      add(types, body, matching(types, &steps))
    }
    for count in tables.keys.sorted() where steps > 0 {
      guard start + 4 + count - 1 <= end else { break }
      if let types = types(in: bytes, start + 4..<end, count: count, &steps) {
        add(types, start + 4 + width(of: types), matching(types, &steps))
      }
      if let rest = types(in: bytes, start + 4..<end, count: count - 1, &steps) {
        // If the row's key has a column, the type of this column is always null.
        let known = matching([0] + rest, &steps).filter { $0.storedColumns.first == $0.rowIDColumn }
        add([0] + rest, start + 4 + width(of: rest), known)
      }
    }
    return result

    func add(_ types: [UInt64], _ body: Int, _ known: [SQLiteTable]) {
      let length = types.reduce(0) { $0 + (SQLiteRecord.size(ofType: $1) ?? 0) }
      guard !known.isEmpty, length <= end - body else { return }
      result.append(Found(rowID: nil, tables: known, types: types, body: body, end: body + length))
    }
  }

  /// Reads consecutive types: `count` of them, or all in the range.
  private func types(
    in bytes: [UInt8], _ range: Range<Int>, count: Int?, _ steps: inout Int
  ) -> [UInt64]? {
    var types: [UInt64] = []
    var position = range.lowerBound
    while count.map({ types.count < $0 }) ?? (position < range.upperBound) {
      steps -= 1
      guard steps > 0, let type = bytes.sqliteVarint(at: &position, limit: range.upperBound),
        SQLiteRecord.size(ofType: type) != nil
      else { return nil }
      types.append(type)
    }
    return types
  }

  private func width(of types: [UInt64]) -> Int {
    types.reduce(0) { width, type in
      var rest = type >> 7
      var size = 1
      while rest > 0 {
        rest >>= 7
        size += 1
      }
      return width + size
    }
  }

  /// The tables with this number of columns. A column that holds the row's key must be null.
  private func matching(_ types: [UInt64], _ steps: inout Int) -> [SQLiteTable] {
    guard let known = tables[types.count], types.contains(where: { $0 != 0 }) else { return [] }
    steps -= known.count
    return known.filter { table in
      guard let column = table.rowIDColumn,
        let place = table.storedColumns.firstIndex(of: column)
      else { return true }
      return types[place] == 0
    }
  }
}
