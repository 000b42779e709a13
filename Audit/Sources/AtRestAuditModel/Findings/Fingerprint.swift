import AtRestFormats
import Crypto
import Foundation

/// Identifies each finding, independently of its line.
///
/// A fingerprint is SHA-256 over the rule, the path, the anchor, and the number of earlier findings
/// with the same rule, path and anchor.
public struct Fingerprints: Sendable {
  private let values: [Finding: String]

  /// - Parameter findings: All findings of an audit, including suppressed ones, so that a comment
  ///   that suppresses one finding does not change the fingerprints of others.
  public init(_ findings: [Finding]) {
    var counts: [Key: Int] = [:]
    var values: [Finding: String] = [:]
    for finding in findings.sorted(by: { $0.location < $1.location }) where values[finding] == nil {
      let key = Key(rule: finding.rule, path: finding.location.path, anchor: finding.anchor)
      let occurrence = counts[key, default: 0]
      counts[key] = occurrence + 1
      values[finding] = Self.digest([
        finding.rule.rawValue, finding.location.path, finding.anchor, String(occurrence),
      ])
    }
    self.values = values
  }

  /// Creates the fingerprints of all findings of a report, including suppressed and known ones.
  package init(_ report: AuditReport) {
    self.init(
      report.findings + report.repeated + report.suppressed.map(\.finding) + report.known)
  }

  /// The fingerprint in hexadecimal.
  public subscript(finding: Finding) -> String {
    values[finding]
      ?? Self.digest([finding.rule.rawValue, finding.location.path, finding.anchor, "0"])
  }

  /// The digest of rule and anchor, which identifies a finding in a file that was moved.
  static func ofAnchor(_ finding: Finding) -> String {
    digest([finding.rule.rawValue, finding.anchor])
  }

  private struct Key: Hashable {
    let rule: RuleID
    let path: String
    let anchor: String
  }

  private static func digest(_ parts: [String]) -> String {
    var hash = SHA256()
    for part in parts {
      // The lengths separate the parts.
      hash.update(data: Data("\(part.utf8.count):\(part)".utf8))
    }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in hash.finalize() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
