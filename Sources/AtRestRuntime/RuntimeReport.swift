/// The results of all checks at one moment.
public struct RuntimeReport: Hashable, Sendable, Codable {
  /// All findings: at least one for each check, even if the check found no problem.
  public let all: [RuntimeFinding]

  /// Creates a report. Applications can create reports of their own checks.
  public init(_ all: [RuntimeFinding]) { self.all = all }

  /// The problems that were found.
  public var findings: [RuntimeFinding] { all.filter { $0.outcome == .found } }
  /// The checks that could not be made.
  public var undetermined: [RuntimeFinding] { all.filter { $0.outcome == .undetermined } }
  /// A Boolean value that is true if every check that applies was made and found no problem.
  public var isClear: Bool {
    all.allSatisfy { $0.outcome == .clear || $0.outcome == .notApplicable }
  }
  /// Returns the findings of one check.
  public func findings(of check: RuntimeCheck) -> [RuntimeFinding] {
    all.filter { $0.check == check }
  }
}
