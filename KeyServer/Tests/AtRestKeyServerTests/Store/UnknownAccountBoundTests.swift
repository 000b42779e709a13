import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct UnknownAccountBoundTests {
  private func guess(_ account: String, _ store: KeyServerStore) throws -> UInt16 {
    try TestAttempt("guess", account: account, publicKey: nil, store, nil).answer.remaining
  }

  @Test(arguments: TestDatabase.kinds)
  func `The oldest names that do not exist are forgotten, and no attempt of an account is`(
    kind: TestDatabase.Kind
  ) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(
      rules: AttemptRules(limit: 5, delays: []), clock: clock)
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    #expect(try guess("eva", store) == 4)
    for name in 0..<20 {
      clock.advance(seconds: 1)
      #expect(try guess("nobody \(name)", store) == 4)
    }
    try store.pruneUnknownAccounts(keeping: 10)
    #expect(try guess("eva", store) == 3)
    // The control: the ten newest names were kept, with their attempts.
    for name in 10..<20 { #expect(try guess("nobody \(name)", store) == 3) }
    for name in 0..<10 { #expect(try guess("nobody \(name)", store) == 4) }
    #expect(try store.accounts()[0].attempts == 2)
  }

  @Test(arguments: TestDatabase.kinds)
  func `Nothing is forgotten below the bound, however old it is`(kind: TestDatabase.Kind) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(
      rules: AttemptRules(limit: 3, delays: []), clock: clock)
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    for account in ["eva", "nobody"] {
      for remaining in [2, 1, 0] { #expect(try guess(account, store) == remaining) }
    }
    clock.advance(seconds: 10 * 365 * 86_400)
    try store.pruneUnknownAccounts()
    // Both look the same, so the names do not show which one exists.
    for account in ["eva", "nobody"] {
      let error = expectError(.throttled) { try guess(account, store) }
      #expect((error?.cause as? RetryTime) == RetryTime(date: nil))
    }
  }
}
