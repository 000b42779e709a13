/// A record that continues on a chain of pages, read from start to end.
struct SQLiteOverflow {
  private let pass: SQLitePass
  private let name: String
  private var piece: ArraySlice<UInt8>
  private var next: Int
  private var page: SQLitePage?
  /// The number of bytes not yet read, according to the claimed length of the record.
  private(set) var remaining: Int

  init(_ cell: SQLiteCell, in page: SQLitePage, _ pass: SQLitePass, name: String) {
    self.pass = pass
    self.name = name
    piece = page.bytes[cell.local]
    next = cell.overflow ?? 0
    remaining = cell.length
  }

  /// Reads the next `length` bytes, and keeps at most the first `limit` of them.
  ///
  /// - Returns: The bytes that were kept. They are fewer if the chain ends early.
  mutating func read(_ length: Int, keeping limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    var left = min(length, remaining)
    while left > 0 {
      if piece.isEmpty, !advance() { break }
      let some = min(left, piece.count)
      result.append(contentsOf: piece.prefix(min(some, limit - result.count)))
      piece = piece.dropFirst(some)
      left -= some
      remaining -= some
    }
    return result
  }

  private mutating func advance() -> Bool {
    guard pass.meet(next, of: name), let page = pass.page(next) else { return false }
    self.page = page
    next = page.bytes.bigEndian32(at: page.start)
    piece = page.bytes[page.start + 4..<page.end]
    return true
  }

  /// Follows the chain to its end.
  ///
  /// - Returns: The last page, and the range after the record in it, or nil if the chain is
  ///   damaged.
  mutating func slack() -> (page: SQLitePage, range: Range<Int>)? {
    _ = read(remaining, keeping: 0)
    guard remaining == 0, let page else { return nil }
    return (page, piece.startIndex..<piece.endIndex)
  }
}
