/// Text measured in the columns that a terminal shows it in.
extension StringProtocol {
  /// How many columns it takes: two for an East Asian character.
  var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

  /// Its beginning, as far as it takes no more columns.
  func prefix(columns: Int) -> String {
    var result = ""
    var left = columns
    for character in self {
      left -= String(character).columnCount
      if left < 0 { break }
      result.append(character)
    }
    return result
  }

  /// The text, or its beginning and an ellipsis where it takes more columns.
  func shortened(toColumns columns: Int) -> String {
    columnCount <= columns ? String(self) : prefix(columns: columns - 1) + "…"
  }
}

extension Unicode.Scalar {
  fileprivate var columnCount: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: 0
    default: value >= 0x1100 && !(0x2000...0x27ff ~= value) ? 2 : 1
    }
  }
}
