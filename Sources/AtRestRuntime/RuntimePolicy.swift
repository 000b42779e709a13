/// The responses to the findings of runtime checks.
///
/// ```swift
/// var policy = RuntimePolicy.standard
/// policy[.debugger] = .wipe
/// switch policy.response(to: RuntimeIntegrity().report()) { … }
/// ```
///
/// A policy only decides on a response. The caller, such as the vault, carries the response out.
public struct RuntimePolicy: Hashable, Sendable, Codable {
  /// The response to a finding, from the mildest to the severest.
  public enum Response: Int, Sendable, Codable, Comparable, CaseIterable {
    /// The finding is reported, and nothing else happens.
    case report
    /// Calls are refused as long as the finding persists.
    case refuse
    /// The store is locked: keys are erased from memory, and the passcode is required again.
    case lock
    /// All data in the vault is destroyed.
    case wipe

    public static func < (a: Response, b: Response) -> Bool { a.rawValue < b.rawValue }
  }

  private var responses: [RuntimeCheck: Response]
  /// The response to checks that the policy does not name.
  public var otherwise: Response
  /// The response to a check that could not be made.
  public var undetermined: Response

  /// Creates a policy.
  public init(
    _ responses: [RuntimeCheck: Response] = [:], otherwise: Response = .report,
    undetermined: Response = .report
  ) {
    self.responses = responses
    self.otherwise = otherwise
    self.undetermined = undetermined
  }

  /// The response to a finding of a check.
  public subscript(check: RuntimeCheck) -> Response {
    get { responses[check] ?? otherwise }
    set { responses[check] = newValue }
  }

  /// Reports everything and does nothing else.
  public static let report = RuntimePolicy()

  /// Locks if someone may be reading the data, refuses if the program or the system may have been
  /// replaced, and only reports protections that the machine does not provide. This policy destroys
  /// nothing.
  public static let standard = RuntimePolicy([
    .debugger: .lock, .injectedLibraries: .lock, .jailbreak: .refuse, .writableProgram: .refuse,
    .coreDumps: .report, .swap: .report,
  ])

  /// Wipes on a jailbroken device, locks if someone may be reading the data or the program may have
  /// been replaced, and refuses for all other findings and for checks that could not be made.
  public static let strict = RuntimePolicy(
    [
      .debugger: .lock, .injectedLibraries: .lock, .jailbreak: .wipe, .writableProgram: .lock,
      .coreDumps: .refuse, .swap: .refuse,
    ], otherwise: .refuse, undetermined: .refuse)

  /// Returns the response to one finding, or nil if there is nothing to do.
  public func response(to finding: RuntimeFinding) -> Response? {
    switch finding.outcome {
    case .found: self[finding.check]
    case .undetermined: undetermined
    case .clear, .notApplicable: nil
    }
  }

  /// Returns the severest response to several findings, or nil if there is nothing to do.
  public func response(to findings: some Sequence<RuntimeFinding>) -> Response? {
    findings.compactMap { response(to: $0) }.max()
  }

  /// Returns the severest response to a report, or nil if there is nothing to do.
  public func response(to report: RuntimeReport) -> Response? { response(to: report.all) }
}
