/// A comment that suppresses the findings of some rules and gives a reason.
///
///     store(pin)  // atrest:ignore userdefaults-sensitive the PIN of a demo account
struct Suppression: Sendable {
  enum Scope: Sendable {
    /// The comment applies to its own line, or to the next line of code.
    case line
    /// The comment applies from its own line to the matching `ignore-end`.
    case begin
    case end
    case file
  }

  let scope: Scope
  let rules: [RuleID]
  let reason: String

  /// Returns nil if the directive is not a suppression. Other directives may also begin with
  /// `atrest:`.
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
