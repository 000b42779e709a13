/// The pages of a database of LMDB, or of MDBX, which descends from it.
///
/// All numbers have their least significant byte first, and 64 bits where they depend on the machine.
struct LMDBLayout: Hashable, Sendable {
  let isMDBX: Bool
  let pageSize: Int
  /// The offset of page 0 in the file, which is not 0 if other bytes precede it, and negative if it is missing.
  let base: Int

  static let pageSizes = (8...16).map { 1 << $0 }
  var headerSize: Int { isMDBX ? 20 : 16 }
  /// The number of pages with the roots of the trees, at the beginning of the file.
  var metaCount: Int { isMDBX ? 3 : 2 }

  func offset(of page: Int) -> Int { base + page * pageSize }

  /// The number of pages that the file has, the last of which must be whole.
  func pageCount(in source: ByteSource) -> Int { max(0, (source.count - base) / pageSize) }
}

/// The header of a page, and the nodes in it.
struct LMDBPage {
  enum Kind { case branch, leaf, packedLeaf, overflow, meta, other }

  let number: Int
  let kind: Kind
  /// The number of pages that a long value takes, or 0.
  let overflowPages: Int
  /// The free space between the list of nodes and the nodes.
  let gap: Range<Int>
  let layout: LMDBLayout
  private let bytes: [UInt8]
  /// The size of a value, in pages with values of one size.
  private let valueSize: Int

  /// Reads a page, or a page within a page. Returns nil if the bytes are not one.
  init?(_ bytes: [UInt8], _ layout: LMDBLayout) {
    let head = layout.headerSize
    let place = layout.isMDBX ? (offset: 16, size: 4) : (offset: 0, size: 6)
    guard bytes.count > head,
      let number = bytes.littleEndian(at: place.offset, size: place.size),
      let valueSize = bytes.littleEndian(at: 8, size: 2),
      let flags = bytes.littleEndian(at: 10, size: 2),
      let lower = bytes.littleEndian(at: 12, size: 2),
      let upper = bytes.littleEndian(at: 14, size: 2)
    else { return nil }
    (self.number, self.layout, self.bytes, self.valueSize) = (number, layout, bytes, valueSize)
    // Dirty, spilled, kept and sub-pages are marked in other bits.
    switch flags & 0x2F {
    case 0x01: kind = .branch
    case 0x02: kind = .leaf
    case 0x22, 0x20: kind = .packedLeaf
    case 0x04: kind = .overflow
    case 0x08: kind = .meta
    default: kind = .other
    }
    guard kind != .overflow else {
      overflowPages = bytes.littleEndian(at: 12, size: 4) ?? 0
      gap = bytes.count..<bytes.count
      return
    }
    overflowPages = 0
    // MDBX counts from the end of the header.
    let start = layout.isMDBX ? head : 0
    guard kind == .branch || kind == .leaf else {
      gap = bytes.count..<bytes.count
      if kind == .packedLeaf, start + lower < head || start + lower > bytes.count { return nil }
      return
    }
    guard start + lower >= head, lower <= upper, start + upper <= bytes.count else { return nil }
    gap = start + lower..<start + upper
  }

  /// A key and its value, or its place.
  struct Node {
    let key: ArraySlice<UInt8>
    let value: Value
    let offset: Int

    /// The number of bytes of the page that the key and the value take.
    var size: Int {
      switch value {
      case .bytes(let value), .page(let value), .tree(let value, _): key.count + value.count
      case .pages, .child: key.count
      }
    }

    enum Value {
      case bytes(ArraySlice<UInt8>)
      /// A value of a size in pages of its own.
      case pages(first: Int, size: Int)
      /// The root of a table's tree, or of a tree with the values of one key.
      case tree(ArraySlice<UInt8>, isTable: Bool)
      /// A page within this page, with several values.
      case page(ArraySlice<UInt8>)
      /// The page that a branch leads to.
      case child(Int)
    }
  }

  private enum Flag {
    static let pages = 1
    static let tree = 2
    static let several = 4
  }

  /// The number of nodes, or of values of one size, as the page says.
  private var count: Int {
    switch kind {
    case .branch, .leaf: (gap.lowerBound - layout.headerSize) / 2
    case .packedLeaf where valueSize > 0:
      ((bytes.littleEndian(at: 12, size: 2) ?? 0) - (layout.isMDBX ? 0 : layout.headerSize)) / 2
    default: 0
    }
  }

  /// True for a page of a tree. One without nodes would have been removed.
  var hasNodes: Bool { count > 0 }

  /// Reads the nodes, and counts the damaged ones.
  ///
  /// Nodes have bytes of their own, so there are not more than the page has. Otherwise a small file could contain a long
  /// value a million times.
  func nodes() -> (nodes: [Node], damaged: Int) {
    var nodes: [Node] = []
    var left = bytes.count
    for index in 0..<max(0, count) {
      guard let node = node(index), node.size <= left else { continue }
      left -= node.size
      nodes.append(node)
    }
    return (nodes, count - nodes.count)
  }

  /// Reads a node, or returns nil if it is damaged.
  private func node(_ index: Int) -> Node? {
    let head = layout.headerSize
    if kind == .packedLeaf {
      let start = head + index * valueSize
      guard start + valueSize <= bytes.count else { return nil }
      let value = bytes[start..<start + valueSize]
      return Node(key: value, value: .bytes([]), offset: start)
    }
    guard let entry = bytes.littleEndian(at: head + 2 * index, size: 2) else { return nil }
    let start = entry + (layout.isMDBX ? head : 0)
    guard let size = bytes.littleEndian(at: start, size: 4), start >= gap.upperBound,
      let flags = bytes.littleEndian(at: start + 4, size: layout.isMDBX ? 1 : 2),
      let keySize = bytes.littleEndian(at: start + 6, size: 2), keySize <= bytes.count - start - 8
    else { return nil }
    let end = start + 8 + keySize
    let key = bytes[start + 8..<end]
    if kind == .branch {
      return Node(
        key: key, value: .child(layout.isMDBX ? size : size | flags << 32), offset: start)
    }
    if flags & Flag.pages != 0 {
      guard let page = bytes.littleEndian(at: end, size: layout.isMDBX ? 4 : 6) else { return nil }
      return Node(key: key, value: .pages(first: page, size: size), offset: start)
    }
    guard size <= bytes.count - end else { return nil }
    let value = bytes[end..<end + size]
    let isTree = flags & Flag.tree != 0
    let isPage = flags & Flag.several != 0
    let content: Node.Value =
      isTree ? .tree(value, isTable: !isPage) : isPage ? .page(value) : .bytes(value)
    return Node(key: key, value: content, offset: start)
  }
}
