import AtRestAuditModel

extension TerminalReport {
  /// The maximum number of places that are listed for a canary.
  private static let placeLimit = 10

  /// The table of canaries, or an empty text if no canary was searched for.
  func canaries(of report: AuditReport, _ lines: SourceLines) -> String {
    guard let matrix = CanaryMatrix(report) else { return "" }
    var output = styled("Canaries: \(matrix.summary)", .bold) + "\n\n"
    let names = matrix.rows.map { Display.safe(Display.cut($0.canary, 40)) }
    let width = names.map(\.unicodeScalars.count).max() ?? 0
    for (row, name) in zip(matrix.rows, names) {
      let blank = String(repeating: " ", count: width - name.unicodeScalars.count)
      output += "  \(styled(name, .bold))\(blank)  "
      let places = row.places
      guard !places.isEmpty else {
        output += "not found\n"
        continue
      }
      let indent = String(repeating: " ", count: width + 4)
      for (index, place) in places.prefix(Self.placeLimit).enumerated() {
        output += (index == 0 ? "" : indent) + styled("found", .red) + " "
        output += "\(place.circumstances): \(lines.text(of: place))\n"
      }
      if places.count > Self.placeLimit {
        output += indent + Display.count(places.count - Self.placeLimit, "more place") + "\n"
      }
    }
    return output + "\n" + matrix.scope.map { "  \($0)\n" }.joined() + "\n"
  }
}
