import AtRestAuditModel

extension SourceLines {
  /// The lines that say what a finding rests on, and where else its cause is found.
  func reasons(for finding: Finding) -> [(label: String, text: String)] {
    var reasons: [(String, String)] = []
    if let basis = finding.basis {
      var text = "\(basis.tier.rawValue): \(basis.tier.explanation)"
      if let witness = basis.witnesses.first {
        let place = "\(Display.safe(witness.location.path)):\(witness.location.start.line)"
        text += ". At \(place) it \(Display.safe(masked(witness.message, of: finding)))"
      }
      reasons.append(("tier", text))
    }
    if !finding.places.isEmpty {
      let shown = finding.places.prefix(Self.shownPlaces).map {
        "\(Display.safe($0.path)):\($0.start.line)"
      }
      let rest = finding.places.count - shown.count
      reasons.append(
        ("also", shown.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")))
    }
    return reasons
  }

  /// The maximum number of further places that a report for people lists.
  private static let shownPlaces = 5
}
