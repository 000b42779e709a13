/// A comment that lets findings of some rules stand, and says why.
///
///     store(pin)  // atrest:ignore userdefaults-sensitive the PIN of a demo account
struct Suppression: Sendable {
  enum Scope: Sendable {
    /// On its own line, or on the next line of code.
    case line
    /// From here to its end.
    case begin
    case end
    case file
  }

  let scope: Scope
  let rules: [RuleID]
  let reason: String

  /// `nil` for a directive that is none: `atrest:` may say other things.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    switch words.first {
    case "ignore": scope = .line
    case "ignore-begin": scope = .begin
    case "ignore-end": scope = .end
    case "ignore-file": scope = .file
    default: return nil
    }
    var rest = words.count > 1 ? words[1].drop { $0 == " " } : ""
    var rules: [RuleID] = []
    while true {
      let rule = rest.prefix { $0 != " " && $0 != "," && $0 != "\t" }
      if !rule.isEmpty { rules.append(RuleID(String(rule))) }
      rest = rest.dropFirst(rule.count)
      let next = rest.drop { $0 == " " || $0 == "\t" }
      guard next.first == "," else {
        rest = next
        break
      }
      rest = next.dropFirst().drop { $0 == " " || $0 == "\t" }
    }
    self.rules = rules
    reason = String(rest.drop { " \t:-–—".contains($0) })
  }
}
