import AtRestAuditAnalysis
import AtRestAuditModel

/// Checks of secrets in lists and tables with which a value is compared.
enum LiteralLists {
  /// Checks `pins.contains(pin)`.
  static func contained(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    guard call.name == "contains" || call.name == "containsObject", let list = call.receiver,
      !refuses(list.lastName ?? ""),
      let value = call[0], let (elements, home) = array(list, scope, pass),
      let found = pass.inspector.sensitivity(of: value, in: scope), found.sensitivity.isSecret,
      found.trail.isEmpty
    else { return }
    for element in elements {
      guard let text = element.literal, text.utf8.count > 3 else { continue }
      LiteralChecks.judge(
        value.lastName ?? "", text, at: element, from: nil, home.file, pass,
        sensitivity: found.sensitivity, use: found.entered(at: call.expression, in: scope))
    }
  }

  /// Returns true for the name of a list of passwords that nobody may use.
  private static func refuses(_ name: String) -> Bool {
    Words.split(name).contains {
      [
        "weak", "common", "forbidden", "banned", "blocked", "bad", "easy", "simple", "trivial",
        "reserved", "disallowed", "black", "blacklist", "invalid", "worst", "known",
      ].contains($0)
    }
  }

  /// Checks `passwords[user] == password`.
  static func compared(_ comparison: Expression, _ scope: Scope, _ pass: Pass) {
    guard case .binary(let left, _, let right) = comparison.kind else { return }
    for (side, other) in [(left, right), (right, left)] {
      guard case .index(let table, _) = side.kind,
        let found = pass.inspector.sensitivity(of: other, in: scope), found.sensitivity.isSecret,
        found.trail.isEmpty, let entries = pass.inspector.dictionary(table, in: scope)
      else { continue }
      for key in entries.keys.sorted() {
        guard let entry = entries[key], let text = entry.value.literal else { continue }
        LiteralChecks.judge(
          other.lastName ?? "", text, at: entry.value, from: nil, entry.scope.file, pass,
          sensitivity: found.sensitivity, use: found.entered(at: comparison, in: scope))
      }
    }
  }

  /// Returns the elements of a list that is written in the code, or nil.
  private static func array(
    _ list: Expression, _ scope: Scope, _ pass: Pass
  ) -> ([Expression], Scope)? {
    if case .array(let elements) = list.kind { return (elements, scope) }
    guard let name = list.path else { return nil }
    switch pass.inspector.meaning(of: name, in: scope) {
    case .local(let bindings, _, let home):
      guard bindings.count == 1, case .array(let elements) = bindings[0].value.kind else {
        return nil
      }
      return (elements, home)
    case .property(let variable, let file, let owner):
      guard case .array(let elements)? = variable.value?.kind else { return nil }
      return (elements, pass.inspector.scope(of: variable, in: file, owner: owner))
    case .global(let variable, let file):
      guard case .array(let elements)? = variable.value?.kind else { return nil }
      return (elements, pass.inspector.scope(of: variable, in: file, owner: nil))
    default: return nil
    }
  }
}
