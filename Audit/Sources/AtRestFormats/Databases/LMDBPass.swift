/// One reading of a database of LMDB or MDBX.
struct LMDBPass {
  private let source: ByteSource
  private let layout: LMDBLayout
  private let path: String
  private let record: (LMDBFile.Record) throws(FormatError) -> Void
  private let remnant: (LMDBFile.Remnant) throws(FormatError) -> Void
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
  /// The number of bytes of long values that are still read. They have pages of their own, so there are not more than
  /// the file has, except in old pages.
  private var longLeft: Int

  init(
    _ source: ByteSource, _ layout: LMDBLayout, path: String,
    record: @escaping (LMDBFile.Record) throws(FormatError) -> Void,
    remnant: @escaping (LMDBFile.Remnant) throws(FormatError) -> Void
  ) {
    (self.source, self.layout, self.path) = (source, layout, path)
    (self.record, self.remnant) = (record, remnant)
    longLeft = 2 * source.count
  }

  mutating func run() throws(FormatError) {
    if layout.base > 0 { skip("The database is behind \(layout.base) other bytes.") }
    if layout.base < 0 { skip("The first \(-layout.base) bytes of the database are missing.") }
    var newest: LMDBFile.Meta?
    for number in 0..<layout.metaCount {
      guard let bytes = try bytes(of: number) else { continue }
      visited.insert(number)
      guard let meta = LMDBFile.meta(bytes, layout) else {
        skip("Page \(number) of the database, with roots, is damaged.")
        continue
      }
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

  /// Returns true if the file has a page. Only then its offset can be computed.
  private func isInFile(_ page: Int) -> Bool {
    page >= 0 && page < layout.pageCount(in: source) && layout.offset(of: page) >= 0
  }

  /// The bytes of a page, or nil if it is not in the file.
  private func bytes(of page: Int) throws(FormatError) -> [UInt8]? {
    guard isInFile(page) else { return nil }
    let start = layout.offset(of: page)
    return try source.read(start..<start + layout.pageSize)
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
    guard depth < Self.depthLimit else {
      return skip("Page \(root) of the database is deeper than \(Self.depthLimit) levels.")
    }
    guard let bytes = try bytes(of: root) else {
      return skip("Page \(root) of the database is missing.")
    }
    guard visited.insert(root).inserted else {
      return skip("Page \(root) of the database has two places, and was read at one.")
    }
    guard let page = LMDBPage(bytes, layout), page.number == root, page.hasNodes else {
      return skip("Page \(root) of the database is damaged.")
    }
    try give(page.gap, of: page)
    let (nodes, damaged) = page.nodes()
    for node in nodes {
      if case .child(let child) = node.value {
        try tree(child, table, depth: depth + 1, isFree: isFree, values: key)
      } else if !isFree {
        try give(node, of: page, table, depth: depth, values: key)
      } else if case .pages(let first, let size) = node.value {
        guard let pages = try longPages(first, size: size) else {
          skip("Page \(first) of the database, with a list of free pages, is missing or damaged.")
          continue
        }
        visited.formUnion(pages)
      }
    }
    if damaged > 0 { skip("\(damaged) records of page \(root) are damaged.") }
  }

  /// The pages of a long value, or nil if the first one is not that of such a value, or the file does not have them all.
  private func longPages(_ first: Int, size: Int) throws(FormatError) -> Range<Int>? {
    let count = (layout.headerSize + size + layout.pageSize - 1) / layout.pageSize
    guard isInFile(first), count <= layout.pageCount(in: source) - first else { return nil }
    let start = layout.offset(of: first)
    let head = try source.read(start..<start + layout.headerSize + 1)
    guard let page = LMDBPage(head, layout), page.kind == .overflow, page.number == first,
      count <= page.overflowPages
    else { return nil }
    return first..<first + count
  }

  /// Gives the record of a node, and those of a table whose root it is.
  ///
  /// - Parameter key: The key, if the keys of the tree are its values.
  private mutating func give(
    _ node: LMDBPage.Node, of page: LMDBPage, _ table: [UInt8]?, depth: Int, values key: [UInt8]?,
    isDeleted: Bool = false
  ) throws(FormatError) {
    let own = Array(node.key)
    switch node.value {
    case .bytes(let value):
      try give(
        key: key ?? own, value: key == nil ? Array(value) : own, table, of: page, node.offset,
        isDeleted: isDeleted)
    case .pages(let first, let size):
      guard let value = try value(first, size: size, isDeleted: isDeleted) else { return }
      try give(
        key: key ?? own, value: key == nil ? value : own, table, of: page, node.offset,
        isDeleted: isDeleted)
    case .page(let bytes):
      // The values of one key, as the keys of a page.
      let inner = LMDBPage(Array(bytes), layout).flatMap { $0.hasNodes ? $0 : nil }
      let (values, damaged) = inner?.nodes() ?? ([], 1)
      if damaged > 0, !isDeleted { skip("Values of a key in page \(page.number) are damaged.") }
      for value in values {
        try give(
          key: own, value: Array(value.key), table, of: page, node.offset + value.offset,
          isDeleted: isDeleted)
      }
    case .tree(let bytes, let isTable):
      if isTable {
        try give(
          key: own, value: [], nil, of: page, node.offset, isDeleted: isDeleted, isTable: true)
      }
      if isDeleted { return }
      guard let root = LMDBFile.root(bytes, layout) else {
        return skip("The root of a table in page \(page.number) is damaged.")
      }
      try tree(root, isTable ? own : table, depth: depth + 1, values: isTable ? nil : own)
    case .child: break
    }
  }

  /// Reads a long value, whose first page has a header.
  private mutating func value(
    _ first: Int, size: Int, isDeleted: Bool
  ) throws(FormatError) -> [UInt8]? {
    guard let pages = try longPages(first, size: size) else {
      if !isDeleted {
        skip("Page \(first) of the database, with a long value, is missing or damaged.")
      }
      return nil
    }
    guard !visited.contains(first) else {
      // Somebody else's pages are not what a free record means.
      if !isDeleted { skip("Page \(first) of the database has two places, and was read at one.") }
      return nil
    }
    guard size <= longLeft else {
      skip("Page \(first) of the database, with a long value, is damaged.")
      return nil
    }
    longLeft -= size
    visited.formUnion(pages)
    guard size <= Self.valueLimit else {
      skip("The value in page \(first), of \(size) bytes, is too long to be read.")
      return nil
    }
    let start = layout.offset(of: first) + layout.headerSize
    return try source.read(start..<start + size)
  }

  private mutating func give(
    key: [UInt8], value: [UInt8], _ table: [UInt8]?, of page: LMDBPage, _ offset: Int,
    isDeleted: Bool, isTable: Bool = false
  ) throws(FormatError) {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(value)
    let hash = hasher.finalize()
    if isDeleted, given.contains(hash) { return }
    if given.count < Self.givenLimit { given.insert(hash) }
    try record(
      LMDBFile.Record(
        table: table, key: key, value: value, isTable: isTable, isDeleted: isDeleted,
        page: page.number,
        offset: layout.offset(of: page.number) + offset))
  }

  // MARK: Free space

  private func give(_ gap: Range<Int>, of page: LMDBPage) throws(FormatError) {
    guard !gap.isEmpty, let bytes = try bytes(of: page.number) else { return }
    try give(bytes[gap], page.number)
  }

  /// Gives bytes of a page, without the zeros around them.
  private func give(_ bytes: ArraySlice<UInt8>, _ page: Int) throws(FormatError) {
    guard let first = bytes.firstIndex(where: { $0 != 0 }),
      let last = bytes.lastIndex(where: { $0 != 0 })
    else { return }
    try remnant(
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
          try give(bytes[(page == nil ? 0 : layout.headerSize)...], number)
        }
      }
    }
  }

  private mutating func free(_ page: LMDBPage) throws(FormatError) {
    try give(page.gap, of: page)
    for node in page.nodes().nodes {
      try give(node, of: page, nil, depth: 0, values: nil, isDeleted: true)
    }
  }
}
