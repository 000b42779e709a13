import AtRestAuditModel

/// The table and the columns that a statement of SQL writes.
struct SQLWrite {
  let table: String
  /// The columns, or an empty list if the statement does not name them.
  let columns: [String]

  /// Returns nil if the text is not a statement that writes, or if its table is not written out.
  init?(_ text: String) {
    guard text.utf8.count < 65_536 else { return nil }
    var words = Words(text)
    switch words.next()?.uppercased() {
    case "INSERT":
      // `INSERT OR REPLACE INTO`
      var next = words.next()?.uppercased()
      if next == "OR" {
        _ = words.next()
        next = words.next()?.uppercased()
      }
      guard next == "INTO" else { return nil }
    case "REPLACE": guard words.next()?.uppercased() == "INTO" else { return nil }
    case "UPDATE":
      guard var table = words.next() else { return nil }
      if table.uppercased() == "OR" {
        _ = words.next()
        table = words.next() ?? ""
      }
      guard Self.isName(table), words.next()?.uppercased() == "SET" else { return nil }
      self.table = Self.unquoted(table)
      columns = Self.assigned(&words)
      return
    default: return nil
    }
    guard let table = words.next(), Self.isName(table) else { return nil }
    self.table = Self.unquoted(table)
    columns = Self.list(&words)
  }

  var slots: [StorageSlot] {
    columns.isEmpty
      ? [.column(table: table, column: nil)]
      : columns.map { .column(table: table, column: $0) }
  }

  /// Returns the names in parentheses, or an empty list if there are none or one is not a name.
  private static func list(_ words: inout Words) -> [String] {
    guard words.next() == "(" else { return [] }
    var columns: [String] = []
    while let word = words.next(), word != ")" {
      if word == "," { continue }
      guard isName(word) else { return [] }
      columns.append(unquoted(word))
    }
    return columns
  }

  /// Returns the names before equals signs, up to `WHERE`.
  private static func assigned(_ words: inout Words) -> [String] {
    var columns: [String] = []
    var depth = 0
    var last = ""
    while let word = words.next(), word.uppercased() != "WHERE" {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if word == "=", depth == 0, isName(last) { columns.append(unquoted(last)) }
      last = word
    }
    return columns
  }

  private static func isName(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first else { return false }
    return first.properties.isAlphabetic || "_\"`[".unicodeScalars.contains(first)
  }

  private static func unquoted(_ name: String) -> String {
    "\"`[".contains(name.first ?? " ") ? String(name.dropFirst().dropLast()) : name
  }

  /// The words, quoted names and signs of a statement.
  private struct Words {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func next() -> String? {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { return nil }
      let close: Character? =
        switch first {
        case "\"", "`", "'": first
        case "[": "]"
        default: nil
        }
      var word: Substring
      if let close {
        let end = rest.dropFirst().firstIndex(of: close)
        word = rest[..<(end.map { rest.index(after: $0) } ?? rest.endIndex)]
      } else {
        word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        if word.isEmpty { word = rest.prefix(1) }
      }
      rest = rest[word.endIndex...]
      // `main.users` is the table `users`.
      if close == nil, rest.first == ".", let last = word.last, last.isLetter || last == "_" {
        rest = rest.dropFirst()
        return next()
      }
      return String(word)
    }
  }
}
