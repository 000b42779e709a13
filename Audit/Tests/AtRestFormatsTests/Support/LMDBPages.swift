/// Makes pages of a database of LMDB, which need not be right.
struct LMDBPages {
  let pageSize: Int
  /// The number that stands for no page.
  static let none = 0xFFFF_FFFF_FFFF

  /// A node: flags, the size that it says, its key and what follows.
  struct Node {
    var flags = 0
    let size: Int
    let key: [UInt8]
    var rest: [UInt8] = []
  }

  /// The two pages with the roots of the trees.
  func roots(free: Int = none, main: Int = none) -> [UInt8] {
    [0, 1].flatMap { number in
      var page = head(number, flags: 8)
      set(&page, at: 16, 0xBEEF_C0DE, 4)
      set(&page, at: 40, pageSize, 4)
      set(&page, at: 80, free, 6)
      set(&page, at: 128, main, 6)
      set(&page, at: 144, 1, 7)
      return page
    }
  }

  /// A page of nodes, in which the last node is entered several times.
  func leaf(_ number: Int, _ nodes: [Node], repeating times: Int = 1, flags: Int = 2) -> [UInt8] {
    var page = head(number, flags: flags)
    var end = pageSize
    var entries: [Int] = []
    for node in nodes {
      let bytes =
        number8(node.size).prefix(4) + number8(node.flags).prefix(2)
        + number8(node.key.count).prefix(2) + node.key + node.rest
      end = (end - bytes.count) & ~1
      page.replaceSubrange(end..<end + bytes.count, with: bytes)
      entries.append(end)
    }
    entries += Array(repeating: end, count: times - 1)
    for (index, entry) in entries.enumerated() { set(&page, at: 16 + 2 * index, entry, 2) }
    set(&page, at: 12, 16 + 2 * entries.count, 2)
    set(&page, at: 14, end, 2)
    return page
  }

  /// A page that leads to others.
  func branch(_ number: Int, to children: [Int]) -> [UInt8] {
    let nodes = children.map { Node(flags: $0 >> 32, size: $0 & 0xFFFF_FFFF, key: []) }
    return leaf(number, nodes, flags: 1)
  }

  /// The pages of a long value.
  func long(_ number: Int, _ value: [UInt8], pages: Int? = nil) -> [UInt8] {
    let count = (16 + value.count + pageSize - 1) / pageSize
    var page = head(number, flags: 4)
    set(&page, at: 12, pages ?? count, 4)
    page = Array(page.prefix(16)) + value
    return page + [UInt8](repeating: 0, count: count * pageSize - page.count)
  }

  /// A node whose value has pages of its own.
  func longNode(_ key: String, at page: Int, size: Int) -> Node {
    Node(flags: 1, size: size, key: Array(key.utf8), rest: number8(page))
  }

  func node(_ key: String, _ value: [UInt8], flags: Int = 0) -> Node {
    Node(flags: flags, size: value.count, key: Array(key.utf8), rest: value)
  }

  private func head(_ number: Int, flags: Int) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: pageSize)
    set(&page, at: 0, number, 6)
    set(&page, at: 10, flags, 2)
    return page
  }

  private func number8(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(number >> (8 * $0) & 0xFF) }
  }

  private func set(_ page: inout [UInt8], at offset: Int, _ number: Int, _ size: Int) {
    page.replaceSubrange(offset..<offset + size, with: number8(number).prefix(size))
  }
}
