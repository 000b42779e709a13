/// Looks whether the running program, and the machine below it, are what they should be.
///
/// ```swift
/// let report = RuntimeIntegrity().report()
/// for finding in report.findings { print(finding.message, finding.remedy) }
/// if let response = RuntimePolicy.standard.response(to: report) { … }
/// ```
///
/// Checks in a program find out tools that are used as they come. Whoever controls the process, the
/// kernel or the `/proc` that it sees can hide from them: a tracer in another container has no number
/// here, and a loaded library can answer in place of the system. They raise the cost of an attack and
/// prove nothing.
///
/// Safe to use from several threads. Nothing is remembered between reports: ask again before what
/// matters. A report takes about a millisecond.
public struct RuntimeIntegrity: Sendable {
  let environment: RuntimeEnvironment

  /// Looks at an environment, this process on this machine where none is given.
  public init(_ environment: RuntimeEnvironment = .current) { self.environment = environment }

  /// Makes checks.
  ///
  /// One that this version does not know is undetermined.
  public func report(_ checks: [RuntimeCheck] = RuntimeCheck.all) -> RuntimeReport {
    RuntimeReport(checks.flatMap { run($0) })
  }

  private func run(_ check: RuntimeCheck) -> [RuntimeFinding] {
    do {
      return switch check {
      case .debugger: [try debugger()]
      case .injectedLibraries: try injectedLibraries()
      case .jailbreak: jailbreak()
      case .writableProgram: [try writableProgram()]
      case .coreDumps: [try coreDumps()]
      case .swap: [try swap()]
      default: [undetermined(check, "This version knows no check \(check.rawValue).")]
      }
    } catch {
      return [undetermined(check, "The check could not be made: \(error)")]
    }
  }

  func undetermined(_ check: RuntimeCheck, _ message: String) -> RuntimeFinding {
    RuntimeFinding(
      check, .undetermined, message, severity: .medium,
      remedy: "Do not count it as passed: find out why the system does not tell.")
  }

  private func debugger() throws -> RuntimeFinding {
    let remedy = "End the program, and find out who started it so."
    switch environment.platform {
    case .linux:
      guard let status = try environment.text("/proc/self/status"),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") }),
        let tracer = Int(line.dropFirst(10).trimmed)
      else { return undetermined(.debugger, "/proc/self/status does not say who traces this.") }
      guard tracer != 0 else { return RuntimeFinding(.debugger, .clear, "Nobody traces this.") }
      let name = (try? environment.text("/proc/\(tracer)/comm")).flatMap { $0 }.map {
        " (\($0.trimmed))"
      }
      return RuntimeFinding(
        .debugger, .found,
        "Process \(tracer)\(name ?? "") traces this program, and can read its memory.",
        severity: .high, remedy: remedy)
    case .appleMobile, .mac:
      guard try environment.isTraced() else {
        return RuntimeFinding(.debugger, .clear, "Nobody traces this.")
      }
      return RuntimeFinding(
        .debugger, .found, "A debugger is attached (P_TRACED), and can read the program's memory.",
        severity: .high, remedy: remedy)
    case .other:
      return undetermined(.debugger, "It is not known how this system tells of debuggers.")
    }
  }
}

extension StringProtocol {
  /// Without white space around it.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
