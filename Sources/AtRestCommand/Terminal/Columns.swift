/// Measures text in the columns of a terminal.
extension StringProtocol {
  /// The number of columns that the text takes. East Asian characters take two.
  var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

  /// Returns the longest beginning of the text that fits into the given columns.
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

  /// Returns the text, or its beginning and an ellipsis if it does not fit into the columns.
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
