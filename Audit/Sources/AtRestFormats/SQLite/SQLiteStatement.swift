/// Reads the columns of a `CREATE TABLE` statement, whatever else it contains.
struct SQLiteStatement {
  /// The maximum length in bytes. SQLite has the same limit by default.
  private static let lengthLimit = 1_000_000
  private static let constraints: Set<String> = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES",
    "GENERATED", "AS",
  ]
  private static let tableConstraints: Set<String> = [
    "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN",
  ]

  private(set) var columns: [SQLiteTable.Column] = []
  private(set) var rowIDColumn: Int?
  private(set) var isWithoutRowID = false
  private(set) var isVirtual = false
  /// True for a full-text table that keeps its index only: `content=''`.
  private(set) var isContentless = false
  private var computed: Set<Int> = []
  private var key: [Int] = []
  private var indices: [String: Int] = [:]

  /// A word, a quoted name, or a sign. A string in single quotes may be a name as well.
  private enum Token: Equatable {
    case word(String)
    case quoted(String)
    case sign(UInt8)

    var name: String? {
      switch self {
      case .word(let text), .quoted(let text): text
      case .sign: nil
      }
    }

    var keyword: String? {
      guard case .word(let text) = self else { return nil }
      return text.uppercased()
    }
  }

  init(_ sql: ArraySlice<UInt8>) {
    guard sql.count <= Self.lengthLimit else { return }
    let tokens = Self.tokens(of: sql)
    isVirtual = tokens.count > 1 && tokens[1].keyword == "VIRTUAL"
    if isVirtual { isContentless = Self.isContentless(tokens) }
    guard !isVirtual, let open = tokens.firstIndex(of: .sign(UInt8(ascii: "("))) else { return }
    var depth = 0
    var start = open + 1
    var index = open
    while index < tokens.count {
      switch tokens[index] {
      case .sign(UInt8(ascii: "(")): depth += 1
      case .sign(UInt8(ascii: ")")): depth -= 1
      default: break
      }
      if depth == 0 || (depth == 1 && tokens[index] == .sign(UInt8(ascii: ","))) {
        define(tokens[start..<index])
        start = index + 1
      }
      if depth == 0 { break }
      index += 1
    }
    let options = tokens[min(index, tokens.count)...].compactMap(\.keyword)
    isWithoutRowID = zip(options, options.dropFirst()).contains { $0 == ("WITHOUT", "ROWID") }
    if isWithoutRowID { rowIDColumn = nil }
  }

  /// The column of each value in a record. In a `WITHOUT ROWID` table, the key comes first.
  var storedColumns: [Int] {
    var order: [Int] = []
    var known: Set<Int> = []
    for column in (isWithoutRowID ? key : []) + Array(columns.indices)
    where !computed.contains(column) && known.insert(column).inserted {
      order.append(column)
    }
    return order
  }

  /// Reads one part between commas: a column, or a constraint of the table.
  private mutating func define(_ tokens: ArraySlice<Token>) {
    guard let first = tokens.first, let name = first.name else { return }
    if let keyword = first.keyword, Self.tableConstraints.contains(keyword), !columns.isEmpty {
      return takeKey(tokens)
    }
    let rest = tokens.dropFirst()
    let typeEnd =
      rest.firstIndex { $0.keyword.map(Self.constraints.contains) ?? false } ?? rest.endIndex
    let type = rest[..<typeEnd].compactMap(\.name).joined(separator: " ")
    let index = columns.count
    columns.append(SQLiteTable.Column(name: name, type: type))
    indices[name.lowercased()] = index
    takeConstraints(rest[typeEnd...], ofColumn: index)
  }

  private mutating func takeConstraints(_ tokens: ArraySlice<Token>, ofColumn index: Int) {
    var depth = 0
    var isComputed = false
    var isStored = false
    for position in tokens.indices {
      switch tokens[position] {
      case .sign(UInt8(ascii: "(")): depth += 1
      case .sign(UInt8(ascii: ")")): depth -= 1
      default: break
      }
      guard depth == 0, let keyword = tokens[position].keyword else { continue }
      let following = position + 1 < tokens.endIndex ? tokens[position + 1] : nil
      switch keyword {
      case "AS": isComputed = isComputed || following == .sign(UInt8(ascii: "("))
      case "STORED": isStored = true
      case "PRIMARY" where following?.keyword == "KEY":
        key = [index]
        let order = position + 2 < tokens.endIndex ? tokens[position + 2].keyword : nil
        if columns[index].type.uppercased() == "INTEGER", order != "DESC" { rowIDColumn = index }
      default: break
      }
    }
    if isComputed && !isStored { computed.insert(index) }
  }

  /// Reads `PRIMARY KEY (a, b)`, which may follow other constraints without a comma.
  private mutating func takeKey(_ tokens: ArraySlice<Token>) {
    guard
      let start = tokens.indices.dropLast(2).first(where: {
        tokens[$0].keyword == "PRIMARY" && tokens[$0 + 1].keyword == "KEY"
          && tokens[$0 + 2] == .sign(UInt8(ascii: "("))
      })
    else { return }
    var names: [Int] = []
    var isExpected = true
    for token in tokens[(start + 3)...] {
      if token == .sign(UInt8(ascii: ")")) { break }
      if isExpected, let name = token.name {
        guard let index = indices[name.lowercased()] else { return }
        names.append(index)
      }
      isExpected = token == .sign(UInt8(ascii: ","))
    }
    key = names
    if names.count == 1, columns[names[0]].type.uppercased() == "INTEGER" {
      rowIDColumn = names[0]
    }
  }

  private static func isContentless(_ tokens: [Token]) -> Bool {
    tokens.indices.dropLast(2).contains { index in
      tokens[index].keyword == "CONTENT" && tokens[index + 1] == .sign(UInt8(ascii: "="))
        && tokens[index + 2] == .quoted("")
    }
  }

  // MARK: Tokens

  private static func tokens(of sql: ArraySlice<UInt8>) -> [Token] {
    var tokens: [Token] = []
    var index = sql.startIndex
    while index < sql.endIndex {
      let byte = sql[index]
      let next = index + 1 < sql.endIndex ? sql[index + 1] : 0
      switch byte {
      case 0x20, 0x09...0x0D: index += 1
      case UInt8(ascii: "-") where next == byte:
        index = sql[index...].firstIndex(of: 0x0A) ?? sql.endIndex
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        index += 2
        while index < sql.endIndex, !sql[index...].starts(with: [0x2A, 0x2F]) { index += 1 }
        index = min(index + 2, sql.endIndex)
      case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "'"):
        tokens.append(.quoted(quoted(sql, at: &index, until: byte)))
      case UInt8(ascii: "["):
        tokens.append(.quoted(quoted(sql, at: &index, until: UInt8(ascii: "]"))))
      case _ where isWord(byte):
        let end = sql[index...].firstIndex { !isWord($0) } ?? sql.endIndex
        tokens.append(.word(String(decoding: sql[index..<end], as: UTF8.self)))
        index = end
      default:
        tokens.append(.sign(byte))
        index += 1
      }
    }
    return tokens
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// Reads a quoted name or text, in which a quote is written twice.
  private static func quoted(
    _ sql: ArraySlice<UInt8>, at index: inout Int, until quote: UInt8
  ) -> String {
    var bytes: [UInt8] = []
    index += 1
    while index < sql.endIndex {
      let byte = sql[index]
      index += 1
      if byte == quote {
        guard quote != UInt8(ascii: "]"), index < sql.endIndex, sql[index] == quote else { break }
        index += 1
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
