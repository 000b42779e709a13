import AtRestAuditAnalysis
import AtRestAuditModel

extension ProjectFacts {
  /// Whether a name of interest stands anywhere.
  func mentions(_ name: String) -> Bool { mentioned.contains(name) || calls[name] != nil }

  /// Whether a property of one of these names is set to nothing anywhere.
  func hasNull(for names: Set<String>) -> Bool { !cleared.isDisjoint(with: names) }
}
