import AtRestAuditModel

/// A rule: what it says of itself, and what looks for it in code.
///
/// What a rule alone needs is in its file. Checks that several rules share, since one look at a call tells
/// about all of them, are in the file of their folder that ends in `Checks`.
protocol CodeRule {
  static var rule: Rule { get }

  /// Registers what looks for it. A rule of resources or containers is judged elsewhere, and adds nothing.
  static func add(to set: inout CheckSet)
}

extension CodeRule {
  static func add(to set: inout CheckSet) {}
}
