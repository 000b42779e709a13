import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let insecureRandom = RuleID("insecure-random")
}

/// Secret made of numbers that can be foretold.
enum InsecureRandom: CodeRule {
  static let rule = Rule(
    .insecureRandom, "Secret made of numbers that can be foretold",
    severity: .medium, level: .required,
    consequence:
      "rand, drand48 and generators for games give the same numbers again from the same start, "
      + "so who has seen some, or guesses the start, knows the key or token.",
    remedy:
      "Use SecRandomCopyBytes, SymmetricKey(size:), SystemRandomNumberGenerator or "
      + "arc4random_buf.",
    references: .init(masvs: ["MSTG-CRYPTO-6"], cwe: [330, 338]),
    bad: .init(
      "Token.swift",
      """
      func makeToken() -> String {
        String(rand(), radix: 16) + String(rand(), radix: 16)
      }
      """),
    good: .init(
      "Token.swift",
      """
      func makeToken() -> String {
        String(UInt64.random(in: 0 ... .max), radix: 16)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall([
      "rand", "random", "srand", "srandom", "drand48", "srand48", "lrand48", "mrand48", "erand48",
      "GKMersenneTwisterRandomSource", "GKLinearCongruentialRandomSource", "GKARC4RandomSource",
    ]) { call, scope, pass in
      // `Int.random(in:)` uses the system's generator.
      if call.name == "random", call.receiver != nil || !call.arguments.isEmpty { return }
      let seeds = ["srand", "srandom", "srand48"].contains(call.name)
      guard
        makesSecret(call, scope) || isForSecret(scope, pass)
          || seeds && scope.calls.contains(where: { isGenerator($0) && makesSecret($0, scope) })
      else { return }
      pass.report(
        .insecureRandom, at: call.expression, in: scope,
        "\(call.name) gives numbers that can be foretold, and a secret is made of them here")
    }
  }

  /// Whether what a function gives becomes a secret where it is called.
  private static func isForSecret(_ scope: Scope, _ pass: Pass) -> Bool {
    guard let function = scope.function, function.result != nil else { return false }
    return pass.inspector.callers(of: function, in: scope, atMost: 20).contains {
      makesSecret($0.call, $0.scope)
    }
  }

  /// Whether a call gives the next number of a sequence that was started before.
  private static func isGenerator(_ call: Scope.Call) -> Bool {
    ["rand", "random", "drand48", "lrand48", "mrand48", "erand48"].contains(call.name)
      && call.receiver == nil && call.arguments.isEmpty
  }

  private static func makesSecret(_ call: Scope.Call, _ scope: Scope) -> Bool {
    func isSecret(_ name: String) -> Bool {
      let words = Words.split(name)
      return words.contains {
        [
          "key", "token", "password", "nonce", "iv", "salt", "secret", "otp", "passcode", "pin",
          "session",
          "challenge", "seed", "credential", "nonces", "keys", "csrf", "state", "verifier",
        ].contains($0)
      }
    }
    if let name = scope.function?.name, isSecret(name) { return true }
    for (name, bindings) in scope.bindings where isSecret(name) {
      if bindings.contains(where: { $0.value.range.contains(call.expression.range.lowerBound) }) {
        return true
      }
    }
    return false
  }
}
