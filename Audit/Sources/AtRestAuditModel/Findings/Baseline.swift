import AtRestFormats
import Foundation

/// The known findings of a project, which reports leave out.
public struct Baseline: Codable, Hashable, Sendable {
  /// The version of the format.
  public static let version = 1

  public var version = Self.version
  public var findings: [Entry]

  public struct Entry: Codable, Hashable, Sendable {
    public let rule: RuleID
    public let path: String
    /// The digest of rule, path, anchor, and the number of earlier findings that are the same in
    /// these.
    public let fingerprint: String
    /// The digest of rule and anchor.
    public let anchor: String

    /// Creates an entry for a finding.
    public init(rule: RuleID, path: String, fingerprint: String, anchor: String) {
      self.rule = rule
      self.path = path
      self.fingerprint = fingerprint
      self.anchor = anchor
    }
  }

  /// Creates a baseline from its entries.
  public init(findings: [Entry] = []) { self.findings = findings }

  /// Creates a baseline with all findings of a report, including known ones.
  public init(_ report: AuditReport) {
    let fingerprints = Fingerprints(report)
    self.init(
      findings: (report.findings + report.repeated + report.known).sorted {
        $0.location < $1.location
      }.map {
        Entry(
          rule: $0.rule, path: $0.location.path, fingerprint: fingerprints[$0],
          anchor: Fingerprints.ofAnchor($0))
      })
  }

  /// Reads a baseline.
  ///
  /// - Throws: ``AuditError`` if the text is not a baseline or has another version.
  public init(json: Data, path: String) throws {
    do {
      self = try JSONDecoder().decode(Baseline.self, from: json)
    } catch {
      throw AuditError("\(path) is not a baseline. Write one with --write-baseline \(path).")
    }
    guard version == Self.version else {
      throw AuditError(
        "\(path) has version \(version), and this program reads version \(Self.version). Write the "
          + "baseline again with --write-baseline \(path).")
    }
  }

  /// The text of the baseline, with one line per entry, so that merges are easy.
  public var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = findings.map { entry in
      // Encoding four strings never fails.
      "    " + String(decoding: (try? encoder.encode(entry)) ?? Data(), as: UTF8.self)
    }
    let list = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n  ]"
    return Data("{\n  \"version\": \(version),\n  \"findings\": \(list)\n}\n".utf8)
  }

  /// Returns the baseline without the entries that the report lists as no longer found.
  public func updated(by report: AuditReport) -> Baseline {
    let mended = Set(report.mended)
    return Baseline(findings: findings.filter { !mended.contains($0) })
  }

  /// Separates known findings from new ones, and returns the entries that are no longer found.
  ///
  /// - Parameter exists: Returns true if a file exists at a path.
  package func split(
    _ findings: [Finding], all fingerprints: Fingerprints, exists: (String) -> Bool
  ) -> (new: [Finding], known: [Finding], mended: [Entry]) {
    var entries: [String: [Entry]] = [:]
    for entry in self.findings { entries[entry.fingerprint, default: []].append(entry) }
    var known: [Finding] = []
    var rest: [Finding] = []
    for finding in findings {
      let fingerprint = fingerprints[finding]
      if let same = entries[fingerprint], !same.isEmpty {
        entries[fingerprint] = Array(same.dropLast())
        known.append(finding)
      } else {
        rest.append(finding)
      }
    }
    // A file was moved if exactly one missing entry and exactly one new finding have the same
    // anchor.
    let left = entries.values.joined()
    let gone = Dictionary(grouping: left.filter { !exists($0.path) }, by: \.anchor)
    let anchors = Dictionary(grouping: rest, by: Fingerprints.ofAnchor)
    var new: [Finding] = []
    var moved: Set<Entry> = []
    for finding in rest {
      let anchor = Fingerprints.ofAnchor(finding)
      if let entry = gone[anchor], entry.count == 1, anchors[anchor]?.count == 1 {
        known.append(finding)
        moved.formUnion(entry)
      } else {
        new.append(finding)
      }
    }
    return (
      new, known.sorted { $0.location < $1.location },
      left.filter { !moved.contains($0) }.sorted {
        ($0.path, $0.rule, $0.fingerprint) < ($1.path, $1.rule, $1.fingerprint)
      }
    )
  }
}
