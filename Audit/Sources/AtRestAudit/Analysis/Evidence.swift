/// Why a value is held to be sensitive.
struct Evidence: Sendable {
  let sensitivity: Sensitivity
  /// What it is called where that tells: `passwordField.text`, the key `PIN`.
  let name: String
  /// How it came, from its origin to where it was asked for.
  var trail: [Finding.Step]

  /// `a credential (passwordField.text)`.
  var description: String { "\(sensitivity.noun) (\(name))" }

  func through(_ location: Location, _ message: String) -> Evidence {
    var copy = self
    copy.trail.append(Finding.Step(location, message))
    return copy
  }
}
