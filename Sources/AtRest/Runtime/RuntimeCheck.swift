/// A property of the running program that can be checked. The set of names is open.
public struct RuntimeCheck: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  /// Creates a check with a name, which may be an application's own.
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// A debugger or tracer is attached.
  public static let debugger = RuntimeCheck(rawValue: "debugger")
  /// A library was loaded into the program that the program does not request.
  public static let injectedLibraries = RuntimeCheck(rawValue: "injected-libraries")
  /// The device was jailbroken. This check applies only to Apple's mobile platforms.
  public static let jailbreak = RuntimeCheck(rawValue: "jailbreak")
  /// Someone other than the user and root can change the program.
  public static let writableProgram = RuntimeCheck(rawValue: "writable-program")
  /// A crash writes the program's memory to disk.
  public static let coreDumps = RuntimeCheck(rawValue: "core-dumps")
  /// Memory may be written to an unencrypted disk.
  public static let swap = RuntimeCheck(rawValue: "swap")

  /// All checks known to this version.
  public static let all: [RuntimeCheck] = [
    .debugger, .injectedLibraries, .jailbreak, .writableProgram, .coreDumps, .swap,
  ]
}

/// The result of a check, in words.
public struct RuntimeFinding: Hashable, Sendable, Codable {
  /// The outcome of a check.
  public enum Outcome: String, Sendable, Codable {
    /// The check found nothing.
    case clear
    /// The check found the problem that ``RuntimeFinding/message`` describes.
    case found
    /// The check could not be made, for the reason in ``RuntimeFinding/message``. It never counts
    /// as passed.
    case undetermined
    /// The check does not apply to this platform.
    case notApplicable
  }

  /// The severity of a finding.
  public enum Severity: Int, Sendable, Codable, Comparable, CaseIterable {
    /// The finding weakens the protection of the data.
    case low = 1
    /// The finding exposes data to others on this machine.
    case medium
    /// Someone may be reading the data now.
    case high

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  /// The check with this result. A check may have several findings.
  public let check: RuntimeCheck
  /// The outcome of the check.
  public let outcome: Outcome
  /// The problem, or the reason why the check could not be made, as a sentence.
  public let message: String
  /// The severity of the finding.
  public let severity: Severity
  /// The remedy, as a sentence. Empty if there is nothing to do.
  public let remedy: String

  /// Creates a finding. Applications can use it for checks of their own.
  public init(
    _ check: RuntimeCheck, _ outcome: Outcome, _ message: String, severity: Severity = .low,
    remedy: String = ""
  ) {
    self.check = check
    self.outcome = outcome
    self.message = message
    self.severity = severity
    self.remedy = remedy
  }
}

/// The results of all checks at one moment.
public struct RuntimeReport: Hashable, Sendable, Codable {
  /// At least one finding per check, including those of checks that found nothing.
  public let all: [RuntimeFinding]

  /// Creates a report. Applications can use it for checks of their own.
  public init(_ all: [RuntimeFinding]) { self.all = all }

  /// The problems that were found.
  public var findings: [RuntimeFinding] { all.filter { $0.outcome == .found } }
  /// The checks that could not be made.
  public var undetermined: [RuntimeFinding] { all.filter { $0.outcome == .undetermined } }
  /// A Boolean value that is true if every check was made and found nothing.
  public var isClear: Bool {
    all.allSatisfy { $0.outcome == .clear || $0.outcome == .notApplicable }
  }
  /// Returns the findings of one check.
  public func findings(of check: RuntimeCheck) -> [RuntimeFinding] {
    all.filter { $0.check == check }
  }
}
