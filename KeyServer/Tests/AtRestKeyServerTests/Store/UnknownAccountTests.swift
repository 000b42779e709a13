import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct UnknownAccountTests {
  private func guess(
    _ account: String, _ store: KeyServerStore, _ suite: EvaluationSuite = .ristretto255
  ) throws -> TestAttempt {
    try TestAttempt("guess", account: account, publicKey: nil, store, nil, suite: suite)
  }

  @Test(arguments: TestDatabase.kinds)
  func `An account that does not exist is answered like one that does`(kind: TestDatabase.Kind)
    throws
  {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(
      rules: AttemptRules(limit: 3, delays: [0, 60]), clock: clock)
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    try store.createAccount("closed")
    for account in ["eva", "closed", "nobody"] {
      let first = try guess(account, store)
      let second = try guess(account, store)
      #expect(first.answer.remaining == 2 && second.answer.remaining == 1)
      // The key stays the same, so asking twice reveals nothing.
      #expect(first.answer.publicKey == second.answer.publicKey)
      let early = expectError(.throttled) { try guess(account, store) }
      #expect((early?.cause as? RetryTime)?.date != nil)
      clock.advance(seconds: 60)
      #expect(try guess(account, store).answer.remaining == 0)
      clock.advance(seconds: 60)
      let late = expectError(.throttled) { try guess(account, store) }
      #expect((late?.cause as? RetryTime) == RetryTime(date: nil))
      expectError(.authenticationFailed) { try store.prove(first.proof, nil) }
    }
  }

  /// Whoever asks chooses the suite, so each name has a key in both. The attempts are counted together, or else a name
  /// with an account would have more of them.
  @Test func `Each name answers in both suites and has one count for them`() throws {
    let store = try TestDatabase(.embedded).store(rules: AttemptRules(limit: 4, delays: []))
    let open = AccountPolicy(allowsUnknownDevices: true)
    try store.createAccount("new", policy: open)
    try store.createAccount("old", policy: open, suite: .p384)
    try store.createAccount("closed", suite: .p384)
    for account in ["new", "old", "closed", "nobody"] {
      var answers: [Evaluation.Answer] = []
      for suite in [EvaluationSuite.p384, .ristretto255, .p384, .ristretto255] {
        let answer = try guess(account, store, suite).answer
        #expect(answer.publicKey.suite == suite)
        #expect(answer.evaluation.count == suite.evaluationCount)
        answers.append(answer)
      }
      #expect(answers.map(\.remaining) == [3, 2, 1, 0])
      #expect(answers[0].publicKey == answers[2].publicKey)
      #expect(answers[1].publicKey == answers[3].publicKey)
      for suite in EvaluationSuite.allCases {
        expectError(.throttled) { try guess(account, store, suite) }
      }
    }
  }

  @Test(arguments: TestDatabase.kinds)
  func `Strangers see no difference after the key of an account was destroyed`(
    kind: TestDatabase.Kind
  ) throws {
    let store = try TestDatabase(kind).store(rules: AttemptRules(limit: 1, delays: []))
    for isOpen in [true, false] {
      let name = isOpen ? "open" : "closed"
      try store.createAccount(
        name, policy: AccountPolicy(destroysKey: true, allowsUnknownDevices: isOpen))
      let device = try TestDevice(store, account: name)
      _ = try device.attempt("wrong", store)
      expectError(.keyDestroyed) { try device.attempt("wrong", store) }
      try store.unlockAccount(name)
      // The control: the account's device learns it.
      expectError(.keyDestroyed) { try device.attempt("wrong", store) }
      try store.unlockAccount(name)
    }
    for account in ["open", "closed", "nobody"] {
      #expect(try guess(account, store).answer.remaining == 0)
      let error = expectError(.throttled) { try guess(account, store) }
      #expect((error?.cause as? RetryTime) == RetryTime(date: nil))
    }
  }

  @Test(arguments: TestDatabase.kinds)
  func `An account for devices only is neither evaluated nor locked by strangers`(
    kind: TestDatabase.Kind
  ) throws {
    let store = try TestDatabase(kind).store(rules: AttemptRules(limit: 3, delays: []))
    try store.createAccount("eva")
    try store.createAccount("tom")
    let device = try TestDevice(store, account: "eva")
    let stranger = try TestDevice(store, account: "tom")
    for _ in 0..<3 {
      let answer = try TestAttempt(
        "right", account: "eva", publicKey: nil, store, stranger.signature()
      ).answer
      #expect(answer.publicKey != device.publicKey)
    }
    // The control: the account's own device still has all its attempts, under the real key.
    let own = try device.attempt("right", store).answer
    #expect(own.remaining == 2 && own.publicKey == device.publicKey)
  }
}
