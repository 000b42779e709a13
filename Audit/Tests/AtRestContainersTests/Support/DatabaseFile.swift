import Foundation

/// Writes SQLite databases of a few tables, from the published format.
///
/// A row must fit into a page of 4,096 bytes, and a table into 500 pages.
struct DatabaseFile {
  enum Value {
    case integer(Int)
    case text(String)
    case blob(Data)
    case null
  }

  private static let pageSize = 4096
  private var pages: [Data] = [Data()]
  private var schema: [Data] = []

  mutating func add(table name: String, _ statement: String, rows: [[Value]]) {
    let root = append(rows: rows.enumerated().map { Self.cell($0.offset + 1, $0.element) })
    schema.append(
      Self.cell(
        schema.count + 1,
        [.text("table"), .text(name), .text(name), .integer(root), .text(statement)]))
  }

  var bytes: Data {
    var header = Data("SQLite format 3\0".utf8) + Self.number(Self.pageSize, 2)
    header += [1, 1, 0, 64, 32, 32] + Self.number(1, 4) + Self.number(pages.count, 4)
    header += Data(count: 8) + Self.number(1, 4) + Self.number(4, 4) + Data(count: 8)
    header += Self.number(1, 4) + Data(count: 32) + Self.number(1, 4)
    header += Self.number(3_045_000, 4)
    var result = Self.leaf(schema, behind: header)
    for page in pages.dropFirst() { result += page }
    return result
  }

  /// Appends the pages of a table, and returns the number of its root page.
  private mutating func append(rows: [Data]) -> Int {
    var leaves: [(page: Data, last: Int)] = []
    var cells: [Data] = []
    var room = Self.pageSize - 8
    for (index, cell) in rows.enumerated() {
      if cell.count + 2 > room {
        leaves.append((Self.leaf(cells), index))
        (cells, room) = ([], Self.pageSize - 8)
      }
      cells.append(cell)
      room -= cell.count + 2
    }
    leaves.append((Self.leaf(cells), rows.count))
    let first = pages.count + 1
    pages += leaves.map(\.page)
    if leaves.count == 1 { return first }
    let inner = leaves.dropLast().enumerated().map {
      Self.number(first + $0.offset, 4) + Self.variable($0.element.last)
    }
    let head =
      Data([5]) + Data(count: 2) + Self.number(inner.count, 2) + Data(count: 3)
      + Self.number(first + leaves.count - 1, 4)
    pages.append(Self.page(head, inner, behind: Data()))
    return pages.count
  }

  private static func leaf(_ cells: [Data], behind header: Data = Data()) -> Data {
    page(
      Data([13]) + Data(count: 2) + number(cells.count, 2) + Data(count: 3), cells, behind: header)
  }

  /// Returns a page that has its pointers after its header, and its cells at the end.
  private static func page(_ head: Data, _ cells: [Data], behind header: Data) -> Data {
    var end = pageSize
    var pointers = Data()
    var bodies = Data()
    for cell in cells {
      end -= cell.count
      pointers += number(end, 2)
      bodies = cell + bodies
    }
    var head = head
    head.replaceSubrange(5..<7, with: number(end, 2))
    let front = header + head + pointers
    return front + Data(count: end - front.count) + bodies
  }

  private static func cell(_ row: Int, _ values: [Value]) -> Data {
    var types = Data()
    var body = Data()
    for value in values {
      switch value {
      case .null: types += [0]
      case .integer(let number):
        types += [6]
        body += Self.number(number, 8)
      case .text(let text):
        types += variable(13 + 2 * text.utf8.count)
        body += Data(text.utf8)
      case .blob(let data):
        types += variable(12 + 2 * data.count)
        body += data
      }
    }
    // The size of the record's header includes itself, which takes one byte here.
    let record = variable(types.count + 1) + types + body
    return variable(record.count) + variable(row) + record
  }

  private static func variable(_ number: Int) -> Data {
    var bytes = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return Data(bytes)
  }

  private static func number(_ number: Int, _ count: Int) -> Data {
    Data((0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}
