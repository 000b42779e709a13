/// What is done about what checks see: a value that can be read, compared and replaced.
///
/// ```swift
/// var policy = RuntimePolicy.standard
/// policy[.debugger] = .wipe
/// switch policy.response(to: RuntimeIntegrity().report()) { … }
/// ```
///
/// The policy decides; it performs nothing.
public struct RuntimePolicy: Hashable, Sendable, Codable {
  /// What is done, from the mildest to the severest.
  public enum Response: Int, Sendable, Codable, Comparable, CaseIterable {
    /// It is told, and everything goes on.
    case report
    /// What was asked for is refused, as long as it lasts.
    case refuse
    /// The store is locked: keys leave memory, and the passcode is asked for again.
    case lock
    /// Everything is destroyed.
    case wipe

    public static func < (a: Response, b: Response) -> Bool { a.rawValue < b.rawValue }
  }

  private var responses: [RuntimeCheck: Response]
  /// What is done about checks that the policy does not name.
  public var otherwise: Response
  /// What is done where a check could not be made.
  public var undetermined: Response

  /// Makes a policy.
  public init(
    _ responses: [RuntimeCheck: Response] = [:], otherwise: Response = .report,
    undetermined: Response = .report
  ) {
    self.responses = responses
    self.otherwise = otherwise
    self.undetermined = undetermined
  }

  /// What is done where a check sees something.
  public subscript(check: RuntimeCheck) -> Response {
    get { responses[check] ?? otherwise }
    set { responses[check] = newValue }
  }

  /// Everything is told, nothing is done.
  public static let report = RuntimePolicy()

  /// Locks where somebody may be reading along, refuses where the program or the system may be another,
  /// and tells what the machine cannot give. Destroys nothing.
  public static let standard = RuntimePolicy([
    .debugger: .lock, .injectedLibraries: .lock, .jailbreak: .refuse, .writableProgram: .refuse,
    .coreDumps: .report, .swap: .report,
  ])

  /// Wipes on a jailbroken device, locks where the program may be another, and refuses the rest, what
  /// could not be looked at included.
  public static let strict = RuntimePolicy(
    [
      .debugger: .lock, .injectedLibraries: .lock, .jailbreak: .wipe, .writableProgram: .lock,
      .coreDumps: .refuse, .swap: .refuse,
    ], otherwise: .refuse, undetermined: .refuse)

  /// What is done about one finding, or nil where there is nothing to do.
  public func response(to finding: RuntimeFinding) -> Response? {
    switch finding.outcome {
    case .found: self[finding.check]
    case .undetermined: undetermined
    case .clear, .notApplicable: nil
    }
  }

  /// The severest response to what was found, or nil where there is nothing to do.
  public func response(to findings: some Sequence<RuntimeFinding>) -> Response? {
    findings.compactMap { response(to: $0) }.max()
  }

  /// The severest response to a report, or nil where there is nothing to do.
  public func response(to report: RuntimeReport) -> Response? { response(to: report.all) }
}
