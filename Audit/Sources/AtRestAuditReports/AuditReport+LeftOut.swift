import AtRestAuditModel

extension AuditReport {
  /// `third-party code (Pods/, Carthage/)`, with one entry per reason.
  var leftOutByReason: [String] {
    LeftOut.Reason.allCases.compactMap { reason in
      let left = leftOut.filter { $0.reason == reason }
      guard !left.isEmpty else { return nil }
      let folders = left.filter { $0.path.hasSuffix("/") }.map { Display.safe($0.path) }
      let files = left.count - folders.count
      var parts = Array(folders.prefix(5))
      if folders.count > 5 { parts.append(Display.count(folders.count - 5, "more folder")) }
      if files > 0 { parts.append(Display.count(files, "file")) }
      return "\(reason.text) (\(parts.joined(separator: ", ")))"
    }
  }
}

extension AuditReport.LeftOut.Reason {
  /// The files of this kind, for people.
  var text: String {
    switch self {
    case .vendored: "third-party code"
    case .generated: "generated code"
    case .tests: "tests"
    case .tools: "tools of the build"
    case .unbuilt: "code that no target compiles"
    case .standIns: "findings in what is named as a sample, a test, or for developers"
    case .unreached: "findings in code and screens that nothing leads to, which are notes"
    case .dependencies: "known vulnerabilities of dependencies, which need --advisories"
    case .excluded: "excluded by the settings"
    case .ignored: "ignored by git"
    case .linked: "symbolic links"
    case .unchanged: "unchanged since the revision"
    }
  }
}
