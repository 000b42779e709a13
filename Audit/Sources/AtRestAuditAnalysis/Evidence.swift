import AtRestAuditModel
import AtRestFormats

/// Why a value is held to be sensitive.
package struct Evidence: Sendable {
  package let sensitivity: Sensitivity
  /// What it is called where that tells: `passwordField.text`, the key `PIN`.
  package let name: String
  /// How it came, from its origin to where it was asked for.
  package var trail: [Finding.Step]

  package init(sensitivity: Sensitivity, name: String, trail: [Finding.Step]) {
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
