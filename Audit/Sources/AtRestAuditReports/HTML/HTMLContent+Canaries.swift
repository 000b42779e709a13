import AtRestAuditModel

extension HTMLContent {
  /// The maximum number of places that are listed for a canary in a container.
  private static let placeLimit = 50

  /// The table of canaries by container.
  var canaries: String {
    guard let matrix = CanaryMatrix(report) else { return "" }
    let heads = matrix.containers.map { "<th scope=\"col\">\(Self.shown($0))</th>" }.joined()
    let rows = matrix.rows.map { row in
      "<tr><th scope=\"row\">\(Self.shown(row.canary))</th>"
        + row.cells.map { "<td>\(cell($0))</td>" }.joined() + "</tr>\n"
    }
    let scope = matrix.scope.map { "<p class=\"soft\">\(XMLText.escaped($0))</p>\n" }.joined()
    return """
      <p>\(matrix.summary.prefix(1).uppercased() + matrix.summary.dropFirst()).</p>
      <div class="wide" role="region" aria-labelledby="title-canaries" tabindex="0">
      <table class="matrix"><thead><tr><th scope="col">Canary</th>\(heads)</tr></thead><tbody>
      \(rows.joined())</tbody></table></div>
      \(scope)
      """
  }

  private func cell(_ places: [CanaryResult.Place]) -> String {
    guard !places.isEmpty else { return "<span class=\"absent\">not found</span>" }
    let items = places.prefix(Self.placeLimit).map { place in
      "<li><b class=\"present\">found</b> \(XMLText.escaped(place.circumstances)): "
        + "<code>\(XMLText.escaped(lines.text(of: place)))</code></li>\n"
    }
    let more = places.count - Self.placeLimit
    return "<ul>\(items.joined())</ul>"
      + (more > 0 ? "<p>\(Display.count(more, "more place"))</p>" : "")
  }
}
