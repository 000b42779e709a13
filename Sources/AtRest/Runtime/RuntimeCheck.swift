/// Something about the running program that is looked at: an open set of names.
public struct RuntimeCheck: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }

  /// A debugger or tracer is attached.
  public static let debugger = RuntimeCheck(rawValue: "debugger")
  /// A library was loaded into the program that it does not ask for.
  public static let injectedLibraries = RuntimeCheck(rawValue: "injected-libraries")
  /// The device was jailbroken. Apple's mobile platforms alone.
  public static let jailbreak = RuntimeCheck(rawValue: "jailbreak")
  /// Somebody but the user and root can change the program.
  public static let writableProgram = RuntimeCheck(rawValue: "writable-program")
  /// A crash writes the program's memory to disk.
  public static let coreDumps = RuntimeCheck(rawValue: "core-dumps")
  /// Memory may be written to an unencrypted disk.
  public static let swap = RuntimeCheck(rawValue: "swap")

  /// All that this version knows.
  public static let all: [RuntimeCheck] = [
    .debugger, .injectedLibraries, .jailbreak, .writableProgram, .coreDumps, .swap,
  ]
}

/// What a check saw, in words.
public struct RuntimeFinding: Hashable, Sendable, Codable {
  /// How a check ended.
  public enum Outcome: String, Sendable, Codable {
    /// It saw nothing.
    case clear
    /// It saw what ``RuntimeFinding/message`` says.
    case found
    /// It could not be made, for the reason that ``RuntimeFinding/message`` says. Never a pass.
    case undetermined
    /// There is no such thing on this platform.
    case notApplicable
  }

  /// How much what was seen weighs.
  public enum Severity: Int, Sendable, Codable, Comparable, CaseIterable {
    /// It weakens what protects the data.
    case low = 1
    /// It exposes data to others on this machine.
    case medium
    /// Somebody may be reading the data now.
    case high

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  /// Which check this is of. A check may have several findings.
  public let check: RuntimeCheck
  /// How it ended.
  public let outcome: Outcome
  /// What it saw, or why it could not be made, as a sentence.
  public let message: String
  /// What it weighs.
  public let severity: Severity
  /// What to do about it, as a sentence; empty where there is nothing to do.
  public let remedy: String

  /// Makes a finding, for checks of your own too.
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

/// What all checks saw, at one moment.
public struct RuntimeReport: Hashable, Sendable, Codable {
  /// One finding a check at least, those that saw nothing among them.
  public let all: [RuntimeFinding]

  /// Makes a report, for checks of your own too.
  public init(_ all: [RuntimeFinding]) { self.all = all }

  /// What was seen.
  public var findings: [RuntimeFinding] { all.filter { $0.outcome == .found } }
  /// What could not be looked at.
  public var undetermined: [RuntimeFinding] { all.filter { $0.outcome == .undetermined } }
  /// Whether every check was made and saw nothing.
  public var isClear: Bool {
    all.allSatisfy { $0.outcome == .clear || $0.outcome == .notApplicable }
  }
  /// What a check saw, or why it could not.
  public func findings(of check: RuntimeCheck) -> [RuntimeFinding] {
    all.filter { $0.check == check }
  }
}
