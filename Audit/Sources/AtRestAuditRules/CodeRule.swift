import AtRestAuditModel

/// A rule: its entry in the catalogue, and the checks that find violations in code.
///
/// Each rule has its own file. Checks that concern several rules, because one call can violate all
/// of them, are in the file of their folder whose name ends in `Checks`.
protocol CodeRule {
  static var rule: Rule { get }

  /// Registers the rule's checks. A rule for resources or containers registers nothing, because it
  /// is checked elsewhere.
  static func add(to set: inout CheckSet)
}

extension CodeRule {
  static func add(to set: inout CheckSet) {}
}
