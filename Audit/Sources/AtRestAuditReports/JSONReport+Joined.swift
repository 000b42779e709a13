import AtRestAuditModel
import AtRestFormats

extension JSONReport {
  /// The joined findings, which refer to the findings by their numbers.
  static func joined(of report: AuditReport, _ lines: SourceLines) -> JSONValue {
    let numbers = report.numbers
    func list(_ findings: [Finding]) -> JSONValue {
      .array(findings.compactMap { numbers[$0] }.map(JSONValue.integer))
    }
    return .array(
      report.joined.map { joined in
        let names = joined.slot.names.map { lines.masked($0, of: joined.found[0]) }
        return [
          "severity": .string(joined.severity.rawValue),
          "slot": ["kind": .string(joined.slot.kind), "names": .strings(names)],
          "stored": .array(joined.writes.map(location)),
          "code": list(joined.code),
          "found": list(joined.found),
        ]
      })
  }
}
