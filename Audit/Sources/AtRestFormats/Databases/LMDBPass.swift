/// One reading of a database of LMDB or MDBX.
struct LMDBPass {
  private let source: ByteSource
  private let layout: LMDBLayout
  private let path: String
  private let record: (LMDBFile.Record) -> Void
  private let remnant: (LMDBFile.Remnant) -> Void
  private(set) var skipped: [Skip] = []
  /// The pages that were read.
  private var visited: Set<Int> = []
  /// The hashes of the records that were given.
  private var given: Set<Int> = []

  private static let depthLimit = 32
  private static let givenLimit = 500_000
  private static let skipLimit = 100
  /// The maximum size of a value in bytes.
  private static let valueLimit = 64 << 20

  init(
    _ source: ByteSource, _ layout: LMDBLayout, path: String,
    record: @escaping (LMDBFile.Record) -> Void, remnant: @escaping (LMDBFile.Remnant) -> Void
  ) {
    (self.source, self.layout, self.path) = (source, layout, path)
    (self.record, self.remnant) = (record, remnant)
  }

  mutating func run() throws(FormatError) {
    if layout.base > 0 { skip("The database is behind \(layout.base) other bytes.") }
    if layout.base < 0 { skip("The first \(-layout.base) bytes of the database are missing.") }
    var newest: LMDBFile.Meta?
    for number in 0..<layout.metaCount {
      guard let bytes = try bytes(of: number) else { continue }
      visited.insert(number)
      guard let meta = LMDBFile.meta(bytes, layout) else { continue }
      if newest.map({ $0.transaction < meta.transaction }) ?? true { newest = meta }
    }
    if let newest {
      try tree(newest.free, nil, depth: 0, isFree: true)
      try tree(newest.main, nil, depth: 0)
    }
    try freePages()
  }

  private mutating func skip(_ reason: String) {
    if skipped.count < Self.skipLimit { skipped.append(Skip(path: path, reason: reason)) }
  }

  /// The bytes of a page, or nil if it is not in the file.
  private func bytes(of page: Int) throws(FormatError) -> [UInt8]? {
    guard page >= 0, page < layout.pageCount(in: source), layout.offset(of: page) >= 0 else {
      return nil
    }
    let start = layout.offset(of: page)
    return try source.read(start..<start + layout.pageSize)
  }

  private func page(_ number: Int) throws(FormatError) -> LMDBPage? {
    guard let bytes = try bytes(of: number), let page = LMDBPage(bytes, layout),
      page.number == number
    else { return nil }
    return page
  }

  // MARK: Trees

  /// Reads the pages of a tree.
  ///
  /// - Parameter isFree: True for the tree that lists the free pages.
  private mutating func tree(
    _ root: Int, _ table: [UInt8]?, depth: Int, isFree: Bool = false, values key: [UInt8]? = nil
  ) throws(FormatError) {
    // An empty tree has no root.
    if root == 0xFFFF_FFFF_FFFF || layout.isMDBX && root == 0xFFFF_FFFF { return }
    guard depth < Self.depthLimit, !visited.contains(root) else { return }
    guard let page = try page(root) else {
      let isThere = try bytes(of: root) != nil
      return skip("Page \(root) of the database is \(isThere ? "damaged" : "missing").")
    }
    visited.insert(root)
    give(page.gap, of: page)
    var damaged = 0
    for index in 0..<page.count {
      guard let node = page.node(index) else {
        damaged += 1
        continue
      }
      if case .child(let child) = node.value {
        try tree(child, table, depth: depth + 1, isFree: isFree, values: key)
      } else if !isFree {
        try give(node, of: page, table, depth: depth, values: key)
      } else if case .pages(let first, let size) = node.value {
        visit(first, size: size)
      }
    }
    if damaged > 0 { skip("\(damaged) records of page \(root) are damaged.") }
  }

  private mutating func visit(_ first: Int, size: Int) {
    let count = (layout.headerSize + size + layout.pageSize - 1) / layout.pageSize
    for page in first..<first + min(count, layout.pageCount(in: source)) { visited.insert(page) }
  }

  /// Gives the record of a node, and those of a table whose root it is.
  ///
  /// - Parameter key: The key, if the keys of the tree are its values.
  private mutating func give(
    _ node: LMDBPage.Node, of page: LMDBPage, _ table: [UInt8]?, depth: Int, values key: [UInt8]?,
    isDeleted: Bool = false
  ) throws(FormatError) {
    func give(_ value: some Sequence<UInt8>, _ pass: inout LMDBPass) {
      let own = Array(node.key)
      pass.give(
        key: key ?? own, value: key == nil ? Array(value) : own, table, of: page, node.offset,
        isDeleted: isDeleted)
    }
    switch node.value {
    case .bytes(let value): give(value, &self)
    case .pages(let first, let size):
      if let value = try self.value(first, size: size, isDeleted: isDeleted) { give(value, &self) }
    case .page(let bytes):
      // The values of one key, as the keys of a page.
      guard let inner = LMDBPage(Array(bytes), layout) else { return }
      for index in 0..<inner.count {
        guard let value = inner.node(index) else { continue }
        self.give(
          key: Array(node.key), value: Array(value.key), table, of: page,
          node.offset + value.offset, isDeleted: isDeleted)
      }
    case .tree(let bytes, let isTable):
      guard !isDeleted, let root = LMDBFile.root(bytes, layout) else { return }
      try tree(
        root, isTable ? Array(node.key) : table, depth: depth + 1,
        values: isTable ? nil : Array(node.key))
    case .child: break
    }
  }

  /// Reads a long value, whose first page has a header.
  private mutating func value(
    _ first: Int, size: Int, isDeleted: Bool
  ) throws(FormatError) -> [UInt8]? {
    let start = layout.offset(of: max(0, first)) + layout.headerSize
    guard first >= 0, size <= Self.valueLimit, let page = try page(first), page.kind == .overflow,
      start >= 0, size <= source.count - start
    else {
      if !isDeleted { skip("Page \(first) of the database, with a long value, is missing.") }
      return nil
    }
    // Somebody else's pages are not what this free record means.
    if isDeleted, visited.contains(first) { return nil }
    visit(first, size: size)
    return try source.read(start..<start + size)
  }

  private mutating func give(
    key: [UInt8], value: [UInt8], _ table: [UInt8]?, of page: LMDBPage, _ offset: Int,
    isDeleted: Bool
  ) {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(value)
    let hash = hasher.finalize()
    if isDeleted, given.contains(hash) { return }
    if given.count < Self.givenLimit { given.insert(hash) }
    record(
      LMDBFile.Record(
        table: table, key: key, value: value, isDeleted: isDeleted, page: page.number,
        offset: layout.offset(of: page.number) + offset))
  }

  // MARK: Free space

  private func give(_ gap: Range<Int>, of page: LMDBPage) {
    guard !gap.isEmpty, let bytes = try? bytes(of: page.number) else { return }
    give(bytes[gap], page.number)
  }

  /// Gives bytes of a page, without the zeros around them.
  private func give(_ bytes: ArraySlice<UInt8>, _ page: Int) {
    guard let first = bytes.firstIndex(where: { $0 != 0 }),
      let last = bytes.lastIndex(where: { $0 != 0 })
    else { return }
    remnant(
      LMDBFile.Remnant(
        bytes: Array(bytes[first...last]), page: page, offset: layout.offset(of: page) + first))
  }

  /// Reads the pages that no tree contains: first those with records, which may have long values in others.
  private mutating func freePages() throws(FormatError) {
    for isRecords in [true, false] {
      var number = layout.metaCount
      while number < layout.pageCount(in: source) {
        defer { number += 1 }
        let offset = layout.offset(of: number)
        if offset < 0 || visited.contains(number) { continue }
        // Databases that are mapped for writing have holes of any size.
        let next = source.nextData(from: offset)
        if next >= offset + layout.pageSize {
          number += (next - offset) / layout.pageSize - 1
          continue
        }
        guard let bytes = try bytes(of: number) else { continue }
        let page = LMDBPage(bytes, layout).flatMap { $0.number == number ? $0 : nil }
        if isRecords {
          guard let page, page.kind == .leaf || page.kind == .packedLeaf else { continue }
          visited.insert(number)
          try free(page)
        } else {
          give(bytes[(page == nil ? 0 : layout.headerSize)...], number)
        }
      }
    }
  }

  private mutating func free(_ page: LMDBPage) throws(FormatError) {
    give(page.gap, of: page)
    for index in 0..<page.count {
      guard let node = page.node(index) else { continue }
      try give(node, of: page, nil, depth: 0, values: nil, isDeleted: true)
    }
  }
}
