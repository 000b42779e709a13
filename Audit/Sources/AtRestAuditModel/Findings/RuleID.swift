/// The identifier of a rule: `userdefaults-sensitive`.
///
/// Identifiers are stable and in lower case with hyphens. A rule declares its identifier beside its
/// check, so a misspelt one does not compile. Settings, comments and baselines name rules by text.
public struct RuleID: RawRepresentable, Codable, Hashable, Sendable {
  public let rawValue: String

  /// Creates an id from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates an id from its text.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension RuleID: Comparable {
  public static func < (left: RuleID, right: RuleID) -> Bool { left.rawValue < right.rawValue }
}

extension RuleID: CustomStringConvertible {
  public var description: String { rawValue }
}

extension RuleID: ExpressibleByStringLiteral {
  /// Creates an id from a literal.
  public init(stringLiteral value: String) { rawValue = value }
}
