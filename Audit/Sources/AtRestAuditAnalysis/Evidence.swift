import AtRestAuditModel
import AtRestFormats

/// The evidence that a value is sensitive.
package struct Evidence: Sendable {
  package let sensitivity: SensitiveKind
  /// The name that shows the sensitivity: `passwordField.text`, the key `PIN`.
  package let name: String
  /// The steps of the value, from its origin to the expression in question.
  package var trail: [Finding.Step]

  package init(sensitivity: SensitiveKind, name: String, trail: [Finding.Step]) {
    self.sensitivity = sensitivity
    self.name = name
    self.trail = trail
  }

  /// `a credential (passwordField.text)`.
  package var description: String { "\(sensitivity.noun) (\(name))" }

  func through(_ location: Location, _ message: String) -> Evidence {
    var copy = self
    copy.trail.append(Finding.Step(location, message))
    return copy
  }
}
