import AtRestAuditModel

/// The table of canaries by container: where each was found, and which were not found.
struct CanaryMatrix {
  /// The names of the containers, in the order in which they were opened.
  let containers: [String]
  let rows: [Row]

  struct Row {
    let canary: String
    /// The places in each container.
    let cells: [[CanaryResult.Place]]

    var places: [CanaryResult.Place] { cells.flatMap(\.self) }
  }

  private let report: AuditReport

  /// Creates the table, or returns nil if no canary was searched for.
  init?(_ report: AuditReport) {
    // A backup and its keychain have the same name.
    var containers: [String] = []
    var canaries: [String] = []
    for container in report.containers where !container.canaries.isEmpty {
      if !containers.contains(container.name) { containers.append(container.name) }
      for result in container.canaries where !canaries.contains(result.name) {
        canaries.append(result.name)
      }
    }
    guard !canaries.isEmpty else { return nil }
    self.report = report
    self.containers = containers
    rows = canaries.map { canary in
      Row(
        canary: canary,
        cells: containers.map { name in
          report.containers.filter { $0.name == name }.flatMap(\.canaries)
            .filter { $0.name == canary }.flatMap(\.places)
        })
    }
  }

  /// `2 canaries found, 1 not found`.
  var summary: String {
    let found = rows.count { !$0.places.isEmpty }
    let parts = [
      found > 0 ? "\(Display.count(found, "canary", "canaries")) found" : nil,
      found < rows.count
        ? found > 0
          ? "\(Display.grouped(rows.count - found)) not found"
          : "\(Display.count(rows.count, "canary", "canaries")) not found" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Sentences that say what was searched in each container, and what could not be opened.
  var scope: [String] {
    containers.map { name in
      let summaries = report.containers.filter { $0.name == name }
      let files = summaries.flatMap(\.files)
      let values = summaries.reduce(0) { $0 + $1.values }
      let bytes = summaries.reduce(0) { $0 + $1.bytes }
      var text = "Searched in \(Display.safe(name)): \(Display.count(files.count, "file")), "
      text += "\(Display.size(bytes)), \(Display.count(values, "value"))"
      let encrypted = files.count { $0.verdict == .encrypted && !$0.isOpened }
      let parts = report.skipped.count { $0.path == name || $0.path.hasPrefix("\(name)/") }
      let sealed = summaries.reduce(0) { $0 + $1.sealed }
      let closed = [
        encrypted > 0 ? Display.count(encrypted, "encrypted file") : nil,
        sealed > 0 ? Display.count(sealed, "sealed keychain item") : nil,
        parts > 0 ? Display.count(parts, "part") + " that the report lists as not read" : nil,
      ].compactMap(\.self)
      guard !closed.isEmpty else { return text + ". Everything could be opened." }
      return text + ". Not searched: \(closed.joined(separator: ", "))."
    }
  }
}

extension CanaryResult.Place {
  /// `in base64, 3 times, deleted`, or only the parts that apply.
  var circumstances: String {
    [
      encodings.isEmpty ? "as typed" : "in \(encodings.joined(separator: " in "))",
      count > 1 ? "\(Display.grouped(count)) times" : nil,
      isDeleted ? "deleted, still readable" : nil,
      isGuarded ? "only this device can read the keychain item" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension SourceLines {
  /// The file and the column: `Bank/Documents/a.db › users.token`.
  func text(of place: CanaryResult.Place) -> String {
    let steps = [place.path] + place.column.map { secrets.mask($0, paths: [place.path]) }
    return steps.map { Display.safe(Display.cut($0, 300)) }.joined(separator: " › ")
  }
}
