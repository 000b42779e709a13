/// A table with aligned columns, the last one ragged.
struct Table {
  private let rows: [[String]]

  /// A table whose headings are shown where there are rows.
  init(_ headings: [String], _ rows: [[String]]) {
    self.rows = rows.isEmpty ? [] : [headings] + rows
  }

  /// The lines; none where there are no rows.
  var text: String {
    guard let first = rows.first else { return "" }
    let widths = first.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (cell, width) in zip(row, widths) {
        line += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
