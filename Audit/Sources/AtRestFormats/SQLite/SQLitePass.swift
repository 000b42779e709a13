/// One pass over a database, which reads pages, remembers the visited ones, and records what it
/// could not read.
///
/// Each page is visited at most once, so damaged pointers cannot cause an endless or repeated walk.
/// Not thread-safe: each pass uses its own instance.
final class SQLitePass {
  /// The size in bytes of a read from the main file, and the number of such reads that are cached.
  private static let windowSize = 65_536
  private static let windowCount = 16

  let storage: SQLiteStorage
  var skips: SQLiteSkips
  var met: SQLitePageSet
  /// The remaining number of values that may be added to rows whose records lack them. It prevents
  /// a small file from growing without limit through tiny records of a table with thousands of
  /// columns.
  var padding: Int
  private var windows: [(index: Int, bytes: [UInt8])]

  init(_ storage: SQLiteStorage, skips: SQLiteSkips? = nil) {
    self.storage = storage
    self.skips = skips ?? SQLiteSkips(path: storage.path)
    met = SQLitePageSet(capacity: storage.mainPageCount + (storage.wal?.frameCount ?? 0))
    padding = storage.main.count + (storage.wal?.source.count ?? 0) + (1 << 20)
    windows = Array(repeating: (-1, []), count: Self.windowCount)
  }

  // MARK: Pages

  func exists(_ number: Int) -> Bool {
    number >= 1 && number <= storage.mainPageCount || newestFrame(of: number) != nil
  }

  func newestFrame(of number: Int) -> Int? {
    guard let wal = storage.wal, let key = UInt32(exactly: number) else { return nil }
    return wal.newest[key].map(Int.init)
  }

  /// The newest committed state of a page, or nil if it does not exist or cannot be read.
  func page(_ number: Int) -> SQLitePage? {
    if let frame = newestFrame(of: number) { return page(number, ofFrame: frame) }
    return mainPage(number)
  }

  /// The state of a page in the main file.
  func mainPage(_ number: Int) -> SQLitePage? {
    guard number >= 1, number <= storage.mainPageCount else { return nil }
    let offset = (number - 1) * storage.pageSize
    let index = offset / Self.windowSize
    let slot = index % Self.windowCount
    if windows[slot].index != index {
      let start = index * Self.windowSize
      windows[slot] = (-1, [])
      let end = min(start + Self.windowSize, storage.mainPageCount * storage.pageSize)
      guard let bytes = read(storage.main, start..<end) else { return nil }
      windows[slot] = (index, bytes)
    }
    return SQLitePage(
      number: number, bytes: windows[slot].bytes, start: offset - index * Self.windowSize,
      usable: storage.usable, file: .database, offset: offset)
  }

  /// The state of a page in a frame of the write-ahead log.
  func page(_ number: Int, ofFrame frame: Int) -> SQLitePage? {
    guard let wal = storage.wal else { return nil }
    let offset = wal.offset(ofFrame: frame) + SQLiteWAL.frameHeaderSize
    return page(number, in: wal.source, .writeAheadLog, at: offset)
  }

  func page(
    _ number: Int, in source: ByteSource, _ file: SQLiteRemnant.File, at offset: Int
  ) -> SQLitePage? {
    guard let bytes = read(source, offset..<offset + storage.pageSize) else { return nil }
    return SQLitePage(
      number: number, bytes: bytes, start: 0, usable: storage.usable, file: file, offset: offset)
  }

  func read(_ source: ByteSource, _ range: Range<Int>) -> [UInt8]? {
    do {
      return try source.read(range)
    } catch {
      skips.add(error.description)
      return nil
    }
  }

  /// Marks a referenced page as visited. Returns false if it does not exist, or was visited before.
  func meet(_ number: Int, of name: String) -> Bool {
    guard exists(number) else {
      skips.add("Page \(number) of \(name) is not in the file.")
      return false
    }
    guard met.insert(number) else {
      skips.add("Page \(number) of \(name) is referenced twice.")
      return false
    }
    return true
  }

  // MARK: Trees

  /// Visits the pages of a tree, each page before its children, and leaves in order.
  func walk<Failure: Error>(
    root: Int, isIndex: Bool, name: String,
    _ visit: (SQLitePage, SQLiteTreePage) throws(Failure) -> Void
  ) throws(Failure) {
    guard meet(root, of: name) else { return }
    var stack = [root]
    while let number = stack.popLast() {
      guard let page = page(number) else { continue }
      guard let tree = SQLiteTreePage(page), tree.isIndex == isIndex else {
        skips.add("Page \(number) of \(name) is damaged.")
        continue
      }
      for child in tree.children(in: page).reversed() where meet(child, of: name) {
        stack.append(child)
      }
      try visit(page, tree)
    }
  }

  /// Visits the records of a page.
  ///
  /// Cells that overlap are damaged. The visited cells together are never larger than the page.
  func forEachCell<Failure: Error>(
    in page: SQLitePage, _ tree: SQLiteTreePage, name: String,
    _ visit: (SQLiteCell) throws(Failure) -> Void
  ) throws(Failure) {
    guard tree.isLeaf || tree.isIndex else { return }
    var room = page.usable
    for index in 0..<tree.cellCount {
      guard let start = tree.cell(index, in: page),
        let cell = SQLiteCell(
          at: start, in: page.bytes, end: page.end, usable: page.usable, tree: tree),
        cell.end - start <= room
      else {
        skips.add("Page \(page.number) of \(name) contains a damaged cell.")
        continue
      }
      room -= cell.end - start
      try visit(cell)
    }
  }
}
