/// Suggests corrections of misspelt words.
package enum Spelling {
  /// Returns the choice that is closest to a text, or nil if every choice differs in too many
  /// letters.
  package static func nearest(to text: String, among choices: [String]) -> String? {
    let letters = Array(text.lowercased().unicodeScalars.prefix(64))
    let ranked = choices.map { ($0, distance(letters, Array($0.lowercased().unicodeScalars))) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(2, best.0.count / 3),
      best.1 < letters.count
    else {
      return nil
    }
    return best.0
  }

  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[right.count]
  }
}
