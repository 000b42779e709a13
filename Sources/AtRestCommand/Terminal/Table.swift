/// A table with aligned columns. The last column is not padded.
struct Table {
  /// The largest width to which cells are padded. Longer cells do not widen their column.
  private static let widestColumn = 40
  private static let narrowestColumn = 4
  private static let gap = 2

  private let rows: [[String]]

  /// Creates a table. The headings are shown only if there are rows.
  init(_ headings: [String], _ rows: [[String]]) {
    self.rows = rows.isEmpty ? [] : [headings] + rows
  }

  /// Returns the table as text, which is empty if there are no rows.
  ///
  /// - Parameter width: The number of columns of the terminal. Long cells are cut to fit. Without a
  ///   width, every cell is complete, and a long cell shifts only the rest of its line.
  func text(width: Int? = nil) -> String {
    let widths = columnWidths(width)
    return rows.map { row in
      var line = ""
      for (cell, column) in zip(row, widths) {
        let shown = width == nil ? cell : cell.shortened(toColumns: column)
        let padding = max(0, column - shown.columnCount) + Self.gap
        line += shown + String(repeating: " ", count: padding)
      }
      if let width { line = line.prefix(columns: width) }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private func columnWidths(_ width: Int?) -> [Int] {
    guard let headings = rows.first else { return [] }
    let most = width ?? Self.widestColumn
    var widths = headings.indices.map { column in
      rows.map { min(most, $0[column].columnCount) }.max() ?? 0
    }
    guard let width else { return widths }
    // The widest column shrinks until the line fits.
    while widths.reduce(0, +) + Self.gap * (widths.count - 1) > width,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > Self.narrowestColumn
    {
      widths[widest] -= 1
    }
    return widths
  }
}
