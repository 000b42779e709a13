/// Checks the running program, and the machine on which it runs, for signs of attack.
///
/// ```swift
/// let report = RuntimeIntegrity().report()
/// for finding in report.findings { print(finding.message, finding.remedy) }
/// if let response = RuntimePolicy.standard.response(to: report) { … }
/// ```
///
/// Checks inside a program detect tools that are used unmodified. Anyone who controls the process,
/// the kernel or the `/proc` that the process sees can hide from the checks: a tracer in another
/// container has no process ID in this container, and a loaded library can answer in place of the
/// system. The checks raise the cost of an attack, but a clear report proves nothing.
///
/// Safe to use from several threads. A report describes one moment, so check again before sensitive
/// operations. A report takes about a millisecond.
public struct RuntimeIntegrity: Sendable {
  let environment: RuntimeEnvironment

  /// Creates the checks for an environment, by default this process on this machine.
  public init(_ environment: RuntimeEnvironment = .current) { self.environment = environment }

  /// Runs checks and returns their findings.
  ///
  /// The outcome of a check that this version does not know is undetermined.
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
      default: [undetermined(check, "This version does not know the check \(check.rawValue).")]
      }
    } catch {
      return [undetermined(check, "The check could not be made: \(error)")]
    }
  }

  func undetermined(_ check: RuntimeCheck, _ message: String) -> RuntimeFinding {
    RuntimeFinding(
      check, .undetermined, message, severity: .medium,
      remedy: "Do not treat the check as passed. Find out why the system does not report it.")
  }

  private func debugger() throws -> RuntimeFinding {
    let remedy = "End the program, and find out who started it this way."
    switch environment.platform {
    case .linux:
      guard let status = try environment.text("/proc/self/status"),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("TracerPid:") }),
        let tracer = Int(line.dropFirst(10).trimmed)
      else { return undetermined(.debugger, "/proc/self/status does not name the tracer.") }
      guard tracer != 0 else {
        return RuntimeFinding(.debugger, .clear, "No process traces this program.")
      }
      let name = (try? environment.text("/proc/\(tracer)/comm")).flatMap { $0 }.map {
        " (\($0.trimmed))"
      }
      return RuntimeFinding(
        .debugger, .found,
        "Process \(tracer)\(name ?? "") traces this program, and can read its memory.",
        severity: .high, remedy: remedy)
    case .appleMobile, .mac:
      guard try environment.isTraced() else {
        return RuntimeFinding(.debugger, .clear, "No process traces this program.")
      }
      return RuntimeFinding(
        .debugger, .found, "A debugger is attached (P_TRACED), and can read the program's memory.",
        severity: .high, remedy: remedy)
    case .other:
      return undetermined(.debugger, "Debuggers cannot be detected on this system.")
    }
  }
}

extension StringProtocol {
  /// The text without white space at its ends.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
