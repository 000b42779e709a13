import AtRestAuditModel
import AtRestFormats
import Foundation

/// The code at which a finding stands, by which it is known again on another line.
enum Anchors {
  /// Lines of a finding that count, and bytes of them.
  private static let lines = 3
  private static let bytes = 400

  /// The findings of one file, each with its code, blanks folded, as its anchor.
  static func set(_ findings: [Finding], in text: Data) -> [Finding] {
    let all = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    return findings.map { finding in
      let first = finding.location.start.line - 1
      guard all.indices.contains(first) else { return finding }
      let last = min(max(finding.location.end.line - 1, first), first + lines - 1, all.count - 1)
      let code = all[first...last].map { String(decoding: $0.prefix(bytes), as: UTF8.self) }
      return finding.with(
        anchor: code.joined(separator: " ").split(whereSeparator: \.isWhitespace)
          .joined(separator: " "))
    }
  }
}
