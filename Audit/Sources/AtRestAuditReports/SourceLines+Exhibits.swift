import AtRestAuditModel
import AtRestFormats

extension SourceLines {
  /// The maximum number of steps of a locator that are shown. They are taken from both ends.
  private static let stepLimit = 12
  /// The maximum number of characters of a step that are shown.
  private static let lengthLimit = 300

  /// The masked steps from the file to the value, or nil for code.
  func locator(of finding: Finding) -> [String]? {
    finding.exhibit.map { exhibit in
      exhibit.locator.map { masked($0, of: finding) }
    }
  }

  /// `ZUSER, row 3, ZTOKEN › base64`, or `line:column` in code. The text is empty if the finding is
  /// about a whole file in a container.
  func place(of finding: Finding) -> String {
    guard var steps = locator(of: finding) else {
      return "\(finding.location.start.line):\(finding.location.start.column)"
    }
    if steps.count > Self.stepLimit {
      let half = Self.stepLimit / 2
      steps = Array(steps.prefix(half)) + ["…"] + Array(steps.suffix(half))
    }
    return steps.map { Display.safe(Display.cut($0, Self.lengthLimit)) }
      .joined(separator: " › ")
  }

  /// The file and the place: `App/Login.swift:3:5`, `Library/Cookies.binarycookies › example.com`.
  func placeWithPath(of finding: Finding) -> String {
    let path = Display.safe(finding.location.path)
    let place = place(of: finding)
    if finding.exhibit == nil { return "\(path):\(place)" }
    return place.isEmpty ? path : "\(path) › \(place)"
  }

  /// The link to the code on the web, or nil for a finding in a container or an unknown repository.
  func link(to finding: Finding) -> String? {
    finding.exhibit == nil ? link(to: finding.location) : nil
  }

  /// The value that was found in a container and the bytes around it, or nil if there are none.
  func exhibit(of finding: Finding) -> ExhibitFrame? {
    guard let excerpt = finding.exhibit?.excerpt, !excerpt.bytes.isEmpty else { return nil }
    return ExhibitFrame(
      excerpt, secrets: secrets.ranges(in: excerpt, of: finding.location.path), reveal: reveal)
  }

  /// The code or the excerpt as lines of text.
  func quoted(_ finding: Finding) -> [String] {
    finding.exhibit == nil
      ? frame(finding.location)?.lines.map(\.text) ?? []
      : exhibit(of: finding)?.lines ?? []
  }
}

extension Exhibit {
  /// `deleted, still readable; protection class NSFileProtectionNone; excluded from backups; row of 2026-11-30T12:04:11Z`, or
  /// only the parts that apply.
  var circumstances: String {
    [
      isDeleted ? "deleted, still readable" : nil,
      protectionClass.map { "protection class \(Display.safe(Display.cut($0, 100)))" },
      isExcludedFromBackups ? "excluded from backups" : nil,
      recorded.flatMap(Display.time).map { "row of \($0)" },
    ].compactMap(\.self).joined(separator: "; ")
  }
}
