/// A part of AtRest that looks for secrets by their form.
public enum SecretConsumer: String, CaseIterable, Sendable {
  /// The redactor, which withholds secrets from logs. It takes the loose form.
  case logs
  /// The auditor's rules about source code. They take the exact form.
  case code
  /// The auditor's rules about property lists and other resources. They take the exact form.
  case propertyLists = "property lists"
  /// The auditor's detectors for what an app left on a device. They take the exact form.
  case containers
  /// The auditor's reports, which mask secrets in the lines that they show. They take the exact form.
  case reports
}
