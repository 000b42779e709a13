import ArgumentParser
import AtRestAudit

/// The value of `--fail-on`.
enum FailureLimit: String, CaseIterable, ExpressibleByArgument {
  case note, low, medium, high, never

  var severity: Severity? { Severity(rawValue: rawValue) }
}
