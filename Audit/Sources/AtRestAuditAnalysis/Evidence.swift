import AtRestAuditModel
import AtRestFormats

/// The evidence that a value is sensitive.
package struct Evidence: Sendable {
  /// The kind of thing that shows the sensitivity.
  package enum Source: Sendable {
    /// The name of a variable, property, parameter or function.
    case name
    /// The key under which the value is stored.
    case entry
    /// The text before the value.
    case caption
    /// A text field whose name or caption says what it asks for.
    case field
    /// A text field that hides what is typed.
    case secureField
    /// An item that was read from the keychain.
    case keychain
    /// The type of the value, which tells what it is and not whose.
    case type
    /// The use that the code makes of the value, such as in a cookie.
    case use
  }

  package let sensitivity: SensitiveKind
  /// The name that shows the sensitivity: `passwordField.text`, the key `PIN`.
  package let name: String
  /// The steps of the value, from its origin to the expression in question.
  package var trail: [Finding.Step]
  package let source: Source
  /// The identifier that shows the sensitivity, without its base: `token` for `user.token`.
  package let subject: String
  /// The type that declares the identifier, if it is known.
  package let owner: String?
  /// The type of the value, as written, if it is known.
  package let type: String?
  /// Other evidence for the same value: the name of what is stored under a key.
  package var support: [Evidence] = []
  /// The use of this very value, if the code shows one.
  package var witness: Finding.Step?
  /// The highest severity of a finding on this evidence.
  package var cap = Severity.high

  package init(
    sensitivity: SensitiveKind, name: String, trail: [Finding.Step] = [], source: Source = .name,
    subject: String? = nil, owner: String? = nil, type: String? = nil
  ) {
    self.sensitivity = sensitivity
    self.name = name
    self.trail = trail
    self.source = source
    self.subject =
      subject ?? name.split { $0 == "." || $0 == " " }.last.map(String.init) ?? name
    self.owner = owner.map(TypeName.plain)
    self.type = type
  }

  /// `a credential (passwordField.text)`.
  package var description: String { "\(sensitivity.noun) (\(name))" }

  package func through(_ location: Location, _ message: String) -> Evidence {
    var copy = self
    copy.trail.append(Finding.Step(location, message))
    return copy
  }

  /// Returns a comparison as a use, if the value was typed into a field.
  package func entered(at place: Expression, in scope: Scope) -> Finding.Step? {
    guard ([self] + support).contains(where: { $0.source == .field || $0.source == .secureField })
    else { return nil }
    return Finding.Step(scope.location(of: place.range), "is compared with what is typed")
  }

  /// Returns the evidence with other evidence for the same value.
  package func supported(by other: Evidence?) -> Evidence {
    guard let other else { return self }
    var copy = self
    copy.support.append(other)
    return copy
  }
}
