import AtRestFormats

/// Data that is stored, logged, shown or shared unprotected, and where that happens.
public struct Finding: Hashable, Sendable {
  /// The identifier of the rule: `userdefaults-sensitive`.
  public let rule: RuleID
  public let severity: Severity
  public let location: Location
  /// One sentence that says what is wrong and names the data.
  public let message: String
  /// The steps that the value took from its origin. The list is empty if the location shows the
  /// origin.
  public let trail: [Step]
  /// The text that distinguishes findings of one rule in one file, independently of the line. For
  /// code, the anchor is the code with each run of blanks as one space.
  public let anchor: String
  /// The value in a container with its place in the file, or nil for code.
  public let exhibit: Exhibit?
  /// The secrets in the audited files that the finding is about: literals in code, and values in
  /// other files. Reports show only the first characters of a secret. Secrets in a container are in
  /// the exhibit.
  public let secrets: [Secret]
  /// The grounds of the finding, if it is about a value, and nil for inventories and settings.
  public let basis: Basis?
  /// Further places with the same cause, which are not findings of their own.
  public let places: [Location]

  /// Creates a finding at a location.
  public init(
    rule: RuleID, severity: Severity, location: Location, message: String, trail: [Step] = [],
    anchor: String, exhibit: Exhibit? = nil, secrets: [Secret] = [], basis: Basis? = nil,
    places: [Location] = []
  ) {
    self.rule = rule
    self.severity = severity
    self.location = location
    self.message = message
    self.trail = trail
    self.anchor = anchor
    self.exhibit = exhibit
    self.secrets = secrets
    self.basis = basis
    self.places = places
  }

  /// Returns the finding with some of its parts changed.
  package func with(
    severity: Severity? = nil, message: String? = nil, anchor: String? = nil,
    secrets: [Secret]? = nil, places: [Location]? = nil
  ) -> Finding {
    Finding(
      rule: rule, severity: severity ?? self.severity, location: location,
      message: message ?? self.message, trail: trail, anchor: anchor ?? self.anchor,
      exhibit: exhibit, secrets: secrets ?? self.secrets, basis: basis,
      places: places ?? self.places)
  }

  /// Returns true if reports show this finding before another one: the more severe first, and
  /// findings of one problem together.
  package func precedes(_ other: Finding) -> Bool {
    guard severity == other.severity else { return severity > other.severity }
    guard location.path == other.location.path else { return location.path < other.location.path }
    guard rule == other.rule else { return rule < other.rule }
    let (column, otherColumn) = (exhibit?.column ?? [], other.exhibit?.column ?? [])
    guard column == otherColumn else { return column.lexicographicallyPrecedes(otherColumn) }
    return (location, message) < (other.location, other.message)
  }

  /// A step that a value takes from its origin to the finding.
  public struct Step: Hashable, Codable, Sendable {
    public let location: Location
    public let message: String

    /// Creates a step with its location and a sentence.
    public init(_ location: Location, _ message: String) {
      self.location = location
      self.message = message
    }
  }
}
