import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let insecureRandom = RuleID("insecure-random")
}

/// Finds secrets that are made from predictable random numbers.
enum InsecureRandom: CodeRule {
  static let rule = Rule(
    .insecureRandom, "Secret made from predictable random numbers",
    severity: .medium, level: .required,
    consequence:
      "rand, drand48 and generators for games repeat the same numbers from the same seed, so "
      + "anyone who has seen some of them, or guesses the seed, knows the key or token.",
    remedy:
      "Use SecRandomCopyBytes, SymmetricKey(size:), SystemRandomNumberGenerator or "
      + "arc4random_buf.",
    references: .init(
      masvs: ["MSTG-CRYPTO-6"], mastg: ["MASTG-TEST-0311"], cwe: [330, 338]),
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
    set.onMention(["timeIntervalSince1970", "timeIntervalSinceReferenceDate"], timed)
    set.onCall([
      "rand", "random", "srand", "srandom", "drand48", "srand48", "lrand48", "mrand48", "erand48",
      "GKMersenneTwisterRandomSource", "GKLinearCongruentialRandomSource", "GKARC4RandomSource",
    ]) { call, scope, pass in
      // `Int.random(in:)` uses the system's generator.
      if call.name == "random", call.receiver != nil || !call.arguments.isEmpty { return }
      let seeds = ["srand", "srandom", "srand48"].contains(call.name)
      guard
        makesSecret(call, scope) || isForSecret(scope, pass) && !isForOther(call, scope, pass)
          || seeds && scope.calls.contains(where: { isGenerator($0) && makesSecret($0, scope) })
      else { return }
      pass.report(
        .insecureRandom, at: call.expression, in: scope,
        "a secret is made here from predictable random numbers (\(call.name))")
    }
  }

  /// Reports a token or a password that is made of the time.
  private static func timed(_ mention: Expression, _ scope: Scope, _ pass: Pass) {
    guard let function = scope.function, function.result != nil,
      let kind = SensitiveKind.ofName(function.name), kind == .token || kind == .credential,
      scope.returns.contains(where: { $0.range.contains(mention.range.lowerBound) }),
      !scope.compares(mention),
      function.result.map({ !pass.inspector.isSilent($0) }) == true
    else { return }
    pass.report(
      .insecureRandom, at: mention, in: scope,
      "a secret is made here from the time, which others know"
    )
  }

  /// Returns true if a caller makes a secret from the function's result.
  private static func isForSecret(_ scope: Scope, _ pass: Pass) -> Bool {
    guard let function = scope.function, function.result != nil else { return false }
    return pass.inspector.callers(of: function, in: scope, atMost: 20).contains {
      makesSecret($0.call, $0.scope)
    }
  }

  /// Returns true if a number goes into a variable that the function does not return: `waitTime`.
  private static func isForOther(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Bool {
    let names = scope.bindings.filter { _, bindings in
      bindings.contains { $0.value.range.contains(call.expression.range.lowerBound) }
    }.keys
    return !names.isEmpty
      && names.allSatisfy { name in
        !scope.returns.contains { pass.inspector.names(in: $0, scope).contains(name) }
      }
  }

  /// Returns true if the call returns the next number of a seeded sequence.
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
