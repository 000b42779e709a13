import AtRestAuditModel
import Foundation

extension HTMLContent {
  /// The maximum number of files in the time line.
  private static let timeLineLimit = 500

  private struct Change {
    let time: String
    let path: String
    let owner: String?
    /// The row, or nil for the file itself.
    var row: Finding?
  }

  /// The files with findings, by their last change, and the rows with findings, by the time that they say of themselves.
  var timeLine: String {
    let changes =
      report.containers.flatMap { container in
        container.files.compactMap { file -> Change? in
          guard let time = file.modified.flatMap(Display.time),
            let path = path(of: file, in: container)
          else { return nil }
          return Change(time: time, path: path, owner: file.owner)
        }
      }
      + report.findings.compactMap { finding in
        finding.exhibit?.recorded.flatMap(Display.time).map {
          Change(time: $0, path: finding.location.path, owner: nil, row: finding)
        }
      }
    guard !changes.isEmpty else { return "" }
    let findings = Dictionary(grouping: report.findings, by: \.location.path)
    let items = changes.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
      .suffix(Self.timeLineLimit).map { change in
        let owner = change.owner.map { " of \(Self.shown($0))" } ?? ""
        let row =
          change.row.flatMap { lines.locator(of: $0) }.map { " › \($0.joined(separator: " › "))" }
          ?? ""
        return
          "<li><time>\(change.time)</time> <code>\(Self.shown(change.path + row))</code>\(owner) "
          + "\(report.severities(of: change.row.map { [$0] } ?? findings[change.path] ?? []))</li>\n"
      }
    return
      "<p>The files with findings, by the time of their last change, and rows of databases by the time in them.</p>\n"
      + "<ol>\n\(items.joined())</ol>\n"
  }
}
