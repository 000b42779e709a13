import AtRestAuditModel
import AtRestFormats

extension SARIFReport {
  /// The maximum number of related locations of a result.
  private static let relatedLimit = 10

  /// The places in the code for each finding in a container, and the places in containers for each
  /// finding in code.
  func related(in report: AuditReport, _ lines: SourceLines) -> [Finding: [JSONValue]] {
    var related: [Finding: [JSONValue]] = [:]
    for joined in report.joined {
      let slot = lines.masked(joined.slot.text, of: joined.found[0])
      func message(_ verb: String) -> JSONValue {
        ["text": .string(Display.cut("\(verb) here: \(Display.safe(slot)).", Self.textLimit))]
      }
      let stored = message(joined.slot.verb.prefix(1).uppercased() + joined.slot.verb.dropFirst())
      let writes = joined.writes.prefix(Self.relatedLimit).map { write -> JSONValue in
        ["physicalLocation": Self.place(write, lines), "message": stored]
      }
      let found = joined.found.prefix(Self.relatedLimit).map { finding -> JSONValue in
        guard case .object(let pairs) = Self.location(of: finding, lines) else { return .null }
        return .object(pairs.filter { $0.0 != "message" } + [("message", message("Found"))])
      }
      for finding in joined.found { related[finding, default: []] += writes }
      for finding in joined.code { related[finding, default: []] += found }
    }
    return related.mapValues { locations in
      locations.prefix(Self.relatedLimit).enumerated().map { index, location in
        guard case .object(let pairs) = location else { return location }
        return .object([("id", .integer(index))] + pairs)
      }
    }
  }
}
