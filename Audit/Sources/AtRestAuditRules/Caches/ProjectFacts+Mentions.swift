import AtRestAuditAnalysis
import AtRestAuditModel

extension ProjectFacts {
  /// Returns true if any code mentions this name of interest, or calls it.
  func mentions(_ name: String) -> Bool { mentioned.contains(name) || calls[name] != nil }

  /// Returns true if any code sets a property with one of these names to nil.
  func hasNull(for names: Set<String>) -> Bool { !cleared.isDisjoint(with: names) }
}
