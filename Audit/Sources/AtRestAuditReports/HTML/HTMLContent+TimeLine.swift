import AtRestAuditModel
import Foundation

extension HTMLContent {
  /// The maximum number of files in the time line.
  private static let timeLineLimit = 500

  private struct Change {
    let time: String
    let path: String
    let owner: String?
  }

  /// The files with findings, in the order in which they were last changed.
  var timeLine: String {
    let changes = report.containers.flatMap { container in
      container.files.compactMap { file -> Change? in
        guard let time = file.modified.flatMap(Display.time),
          let path = path(of: file, in: container)
        else { return nil }
        return Change(time: time, path: path, owner: file.owner)
      }
    }
    guard !changes.isEmpty else { return "" }
    let findings = Dictionary(grouping: report.findings, by: \.location.path)
    let items = changes.sorted { ($0.time, $0.path) < ($1.time, $1.path) }
      .suffix(Self.timeLineLimit).map { change in
        let owner = change.owner.map { " of \(Self.shown($0))" } ?? ""
        return "<li><time>\(change.time)</time> <code>\(Self.shown(change.path))</code>\(owner) "
          + "\(report.severities(of: findings[change.path] ?? []))</li>\n"
      }
    return "<p>The files with findings, by the time of their last change.</p>\n"
      + "<ol>\n\(items.joined())</ol>\n"
  }
}
