/// A cell of a page, without its parts on overflow pages.
struct SQLiteCell {
  let rowID: Int64?
  /// The claimed length of the whole record, which may be false.
  let length: Int
  /// The range of the record's part on the page itself, in the bytes that hold the page.
  let local: Range<Int>
  /// The number of the first overflow page.
  let overflow: Int?
  let end: Int

  /// Reads the cell at a position. Inner pages of tables have no such cells.
  init?(at start: Int, in bytes: [UInt8], end limit: Int, usable: Int, tree: SQLiteTreePage) {
    let first = tree.isLeaf ? start : start + 4
    self.init(at: first, in: bytes, end: limit, usable: usable, isIndex: tree.isIndex)
  }

  init?(at start: Int, in bytes: [UInt8], end limit: Int, usable: Int, isIndex: Bool) {
    var position = start
    guard let claimed = bytes.sqliteVarint(at: &position, limit: limit),
      claimed <= UInt64(Int32.max)
    else { return nil }
    length = Int(claimed)
    if isIndex {
      rowID = nil
    } else {
      guard let key = bytes.sqliteVarint(at: &position, limit: limit) else { return nil }
      rowID = Int64(bitPattern: key)
    }
    let most = isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
    guard length > most else {
      guard length <= limit - position else { return nil }
      local = position..<position + length
      overflow = nil
      end = position + length
      return
    }
    let least = (usable - 12) * 32 / 255 - 23
    let size = least + (length - least) % (usable - 4)
    let kept = size <= most ? size : least
    guard kept + 4 <= limit - position else { return nil }
    local = position..<position + kept
    overflow = bytes.bigEndian32(at: position + kept)
    end = position + kept + 4
  }
}
