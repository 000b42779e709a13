import AtRestAuditModel
import AtRestFormats
import Foundation

/// Sets the anchor of each finding: its code, which identifies the finding even if its line moves.
enum Anchors {
  /// The maximum number of lines in an anchor.
  private static let lines = 3
  /// The maximum number of bytes that an anchor takes from each line.
  private static let bytes = 400

  /// Returns the findings of one file, each with its code as its anchor. In an anchor, each run of
  /// whitespace is one space.
  static func set(_ findings: [Finding], in text: Data) -> [Finding] {
    // Old files of a Mac end their lines with `\r` alone.
    let end: UInt8 = text.contains(0x0A) ? 0x0A : 0x0D
    let all = text.split(separator: end, omittingEmptySubsequences: false)
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
