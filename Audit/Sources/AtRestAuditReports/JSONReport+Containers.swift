import AtRestAuditModel
import AtRestFormats

extension JSONReport {
  static func exhibit(of finding: Finding, _ lines: SourceLines) -> JSONValue {
    let excerpt = lines.exhibit(of: finding).map { frame -> JSONValue in
      let offset = JSONValue.integer(max(finding.exhibit?.excerpt?.offset ?? 0, 0))
      switch frame {
      case .text:
        return ["offset": offset, "text": .string(frame.lines.joined(separator: "\n"))]
      case .hex(let rows):
        let digits = rows.flatMap(\.bytes).map(\.digits)
        return ["offset": offset, "hex": .string(digits.joined(separator: " "))]
      }
    }
    return .object([
      "locator": .strings(lines.locator(of: finding) ?? []),
      "deleted": .bool(finding.exhibit?.isDeleted == true),
      "protectionClass": (finding.exhibit?.protectionClass).map(JSONValue.string),
      "recorded": finding.exhibit?.recorded.flatMap(Display.time).map(JSONValue.string),
      "excludedFromBackups": finding.exhibit?.isExcludedFromBackups == true ? true : nil,
      "excerpt": excerpt,
    ])
  }

  /// The canaries that were searched for, and the places where each was found.
  static func canaries(of report: AuditReport, _ lines: SourceLines) -> JSONValue {
    guard let matrix = CanaryMatrix(report) else { return [] }
    return .array(
      matrix.rows.map { row in
        [
          "name": .string(row.canary),
          "places": .array(
            zip(matrix.containers, row.cells).flatMap { container, places in
              places.map { place -> JSONValue in
                [
                  "container": .string(container), "path": .string(place.path),
                  "column": .strings(
                    place.column.map { lines.secrets.mask($0, paths: [place.path]) }),
                  "encodings": .strings(place.encodings), "deleted": .bool(place.isDeleted),
                  "guarded": .bool(place.isGuarded), "count": .integer(place.count),
                ]
              }
            }),
        ]
      })
  }

  static func json(_ container: ContainerSummary) -> JSONValue {
    [
      "name": .string(container.name),
      "bytes": .integer(max(container.bytes, 0)),
      "values": .integer(max(container.values, 0)),
      "files": .array(
        container.files.map {
          .object([
            "path": .string($0.path), "type": .string($0.type),
            "size": .integer(max($0.size, 0)), "verdict": .string($0.verdict.rawValue),
            "protectionClass": $0.protectionClass.map(JSONValue.string),
            "excludedFromBackups": $0.isExcludedFromBackups ? true : nil,
            "modified": $0.modified.flatMap(Display.time).map(JSONValue.string),
            "owner": $0.owner.map(JSONValue.string),
            "keysTried": $0.tries.map { tries -> JSONValue in
              [
                "keys": .integer(tries.keys), "passphrases": .integer(tries.passphrases),
                "allPassphrases": .integer(tries.allPassphrases),
              ]
            },
          ])
        }),
      "snapshots": .array(
        container.snapshots.map {
          .object([
            "path": .string($0.path), "mediaType": $0.mediaType.map(JSONValue.string),
          ])
        }),
    ]
  }
}
