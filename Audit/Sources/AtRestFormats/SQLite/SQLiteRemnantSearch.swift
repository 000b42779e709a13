/// A search for the remains of rows, first in the pages in use, and last in the log and the
/// journal.
struct SQLiteRemnantSearch {
  let pass: SQLitePass
  let carver: SQLiteCarver
  private let file: SQLiteFile

  init(_ file: SQLiteFile) {
    self.file = file
    pass = SQLitePass(file.storage)
    carver = SQLiteCarver(
      file.tables, encoding: file.encoding, usable: file.storage.usable)
  }

  func run<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    try searchTree(root: 1, isIndex: false, name: SQLitePass.schemaTable.name, visit)
    for table in file.tables {
      guard let root = table.rootPage else { continue }
      try searchTree(root: root, isIndex: table.isWithoutRowID, name: table.name, visit)
    }
    for index in file.indices {
      try searchTree(root: index.rootPage, isIndex: true, name: index.name, visit)
    }
    try searchFreePages(visit)
    try searchLostPages(visit)
    try searchWAL(visit)
    try searchJournal(visit)
  }

  // MARK: Pages in use

  private func searchTree<Failure: Error>(
    root: Int, isIndex: Bool, name: String, _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    try pass.walk(root: root, isIndex: isIndex, name: name) { page, tree throws(Failure) in
      let blocks = tree.freeBlocks(in: page)
      for range in coalesced(blocks + (tree.gap(in: page).map { [$0] } ?? [])) {
        try yield(page, range, .freeSpace, freeBlocks: blocks, visit)
      }
      try pass.forEachCell(in: page, tree, name: name) { cell throws(Failure) in
        guard cell.overflow != nil else { return }
        var record = SQLiteOverflow(cell, in: page, pass, name: name)
        guard let (last, range) = record.slack() else { return }
        try yield(last, range, .slack, visit)
      }
    }
  }

  // MARK: Pages not in use

  /// Searches the list of free pages. Each page of the list names the next one and a number of
  /// other free pages.
  private func searchFreePages<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    let name = "the list of free pages"
    var trunk = pass.storage.header.freelist
    while trunk != 0, pass.meet(trunk, of: name), let page = pass.page(trunk) {
      let claimed = page.bytes.bigEndian32(at: page.start + 4)
      let count = min(claimed, page.usable / 4 - 2)
      if count < claimed { pass.skips.add("Page \(trunk) of \(name) is damaged.") }
      for index in 0..<count {
        let leaf = page.bytes.bigEndian32(at: page.start + 8 + 4 * index)
        // A free page that was never written may be missing.
        guard pass.exists(leaf), pass.meet(leaf, of: name), let free = pass.page(leaf) else {
          continue
        }
        try yieldWhole(free, .freePage, visit)
      }
      try yield(page, page.start + 8 + 4 * count..<page.end, .freePage, visit)
      trunk = page.bytes.bigEndian32(at: page.start)
    }
  }

  private func searchLostPages<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    let storage = pass.storage
    if storage.header.isAutoVacuumed { meetPointerMaps() }
    let logged = storage.wal?.newest.keys.map(Int.init) ?? []
    let beyond = logged.filter { $0 > storage.mainPageCount }.sorted()
    // Search the main file, then the pages that only the log has.
    func search(_ number: Int) throws(Failure) {
      guard pass.met.insert(number), let page = pass.page(number) else { return }
      try yieldWhole(page, .lostPage, visit)
    }
    if storage.mainPageCount > 0 {
      for number in 1...storage.mainPageCount { try search(number) }
    }
    for number in beyond { try search(number) }
    let end = storage.mainPageCount * storage.pageSize
    try yieldBytes(
      of: storage.main, .database, end..<storage.main.count, page: storage.mainPageCount + 1,
      .lostPage, visit)
  }

  /// Marks the pointer maps as visited. These pages, at regular distances, map other pages to their
  /// parents.
  private func meetPointerMaps() {
    let storage = pass.storage
    let stride = storage.usable / 5 + 1
    // SQLite does not use the page that contains its lock byte.
    let locked = (1 << 30) / storage.pageSize + 1
    var number = 2
    while number <= storage.mainPageCount + (storage.wal?.frameCount ?? 0) {
      _ = pass.met.insert(number == locked ? number + 1 : number)
      number += stride
    }
  }

  // MARK: Remnants

  func yieldWhole<Failure: Error>(
    _ page: SQLitePage, _ origin: SQLiteRemnant.Origin,
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    let blocks = SQLiteTreePage(page)?.freeBlocks(in: page) ?? []
    try yield(page, page.start..<page.end, origin, freeBlocks: blocks, visit)
  }

  func yield<Failure: Error>(
    _ page: SQLitePage, _ range: Range<Int>, _ origin: SQLiteRemnant.Origin,
    freeBlocks: [Range<Int>] = [], _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    guard let trimmed = trimmed(range, of: page.bytes) else { return }
    let blocks = freeBlocks.filter { trimmed.contains($0.lowerBound) }
    try visit(
      SQLiteRemnant(
        origin: origin, file: page.file, page: page.number,
        offset: page.offset + trimmed.lowerBound - page.start, bytes: page.bytes[trimmed],
        records: carver.records(in: page, trimmed, freeBlocks: blocks)))
  }

  /// Visits bytes whose page is unknown, in pieces.
  func yieldBytes<Failure: Error>(
    of source: ByteSource, _ file: SQLiteRemnant.File, _ range: Range<Int>, page: Int,
    _ origin: SQLiteRemnant.Origin, _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
      let end = min(start + 1 << 16, range.upperBound)
      guard let bytes = pass.read(source, start..<end),
        let trimmed = trimmed(bytes.indices, of: bytes)
      else { continue }
      try visit(
        SQLiteRemnant(
          origin: origin, file: file, page: page, offset: start + trimmed.lowerBound,
          bytes: bytes[trimmed], records: []))
    }
  }

  /// Removes zeros from both ends, except one that may be half of a UTF-16 character.
  private func trimmed(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int>? {
    var start = range.lowerBound
    while start < range.upperBound, bytes[start] == 0 { start += 1 }
    guard start < range.upperBound else { return nil }
    var end = range.upperBound
    while bytes[end - 1] == 0 { end -= 1 }
    return max(range.lowerBound, start - 1)..<min(range.upperBound, end + 1)
  }

  func coalesced(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
