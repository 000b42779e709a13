/// The classification of a value: its kind, whose data it is, and how many people it concerns.
public struct Classification: Sendable, Hashable {
  /// The kind of data.
  public var kind: DataKind
  /// The people whose data the value contains.
  public var subject: DataSubject
  /// The number of people whose data the value contains.
  public var people: Int
  /// A minimum sensitivity, or nil for none. A minimum can raise the sensitivity that follows from
  /// the other properties, but never lower it.
  public var atLeast: Sensitivity?

  /// Classifies a value.
  public init(
    _ kind: DataKind, of subject: DataSubject = .owner, people: Int = 1,
    atLeast: Sensitivity? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.people = people
    self.atLeast = atLeast
  }

  var words: String {
    switch (subject, people) {
    case (.owner, ...1): "\(kind.withArticle.lowercased()) of the owner"
    case (_, ...1): "\(kind.withArticle.lowercased()) of another person"
    default: "\(kind.withArticle.lowercased()) of \(people) people"
    }
  }
}
