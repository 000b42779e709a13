/// The header of a b-tree page. All positions are indices of the bytes that hold the page.
struct SQLiteTreePage {
  let isLeaf: Bool
  /// True if the cells themselves are records, as in indices and `WITHOUT ROWID` tables.
  let isIndex: Bool
  let cellCount: Int
  /// The range of the array of cell pointers.
  let pointers: Range<Int>
  /// The position of the first cell.
  let contentStart: Int
  private let firstFreeBlock: Int

  /// Reads a header. Returns nil if this is not a b-tree page, or its header is invalid.
  init?(_ page: SQLitePage) {
    let header = page.number == 1 ? page.start + SQLiteHeader.size : page.start
    let kind = page.bytes[header]
    guard kind == 2 || kind == 5 || kind == 10 || kind == 13 else { return nil }
    isLeaf = kind >= 10
    isIndex = kind == 2 || kind == 10
    firstFreeBlock = page.bytes.bigEndian16(at: header + 1)
    cellCount = page.bytes.bigEndian16(at: header + 3)
    let first = header + (isLeaf ? 8 : 12)
    guard first + 2 * cellCount <= page.end else { return nil }
    pointers = first..<first + 2 * cellCount
    let content = page.bytes.bigEndian16(at: header + 5)
    // Zero stands for 65,536.
    contentStart = page.start + (content == 0 ? 65_536 : content)
  }

  /// The position of a cell, or nil if it is outside the part of the page that cells can be in.
  func cell(_ index: Int, in page: SQLitePage) -> Int? {
    let offset = page.start + page.bytes.bigEndian16(at: pointers.lowerBound + 2 * index)
    return offset >= pointers.upperBound && offset < page.end ? offset : nil
  }

  /// The numbers of the pages below this one. A leaf has none. Damaged cells are skipped.
  func children(in page: SQLitePage) -> [Int] {
    guard !isLeaf else { return [] }
    var result: [Int] = []
    result.reserveCapacity(cellCount + 1)
    for index in 0..<cellCount {
      guard let cell = cell(index, in: page), cell + 4 <= page.end else { continue }
      result.append(page.bytes.bigEndian32(at: cell))
    }
    result.append(page.bytes.bigEndian32(at: pointers.lowerBound - 4))
    return result
  }

  /// The free blocks, including their headers of four bytes. Each block must begin after the one
  /// before it, so a damaged list cannot be endless.
  func freeBlocks(in page: SQLitePage) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var block = page.start + firstFreeBlock
    while block >= pointers.upperBound, block + 4 <= page.end {
      let end = block + max(4, page.bytes.bigEndian16(at: block + 2))
      guard end <= page.end else { break }
      result.append(block..<end)
      let next = page.start + page.bytes.bigEndian16(at: block)
      guard next >= end else { break }
      block = next
    }
    return result
  }

  /// The gap between the pointers and the cells, which may contain remains of cells.
  func gap(in page: SQLitePage) -> Range<Int>? {
    let end = min(contentStart, page.end)
    return end > pointers.upperBound ? pointers.upperBound..<end : nil
  }
}
