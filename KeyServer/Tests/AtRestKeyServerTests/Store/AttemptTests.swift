import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct AttemptTests {
  @Test(arguments: TestDatabase.kinds)
  func `A proof resets the count and a wrong passphrase does not`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)

    for remaining in [9, 8, 7] {
      let wrong = try device.attempt("wrong", store)
      #expect(wrong.answer.remaining == remaining)
      expectError(.authenticationFailed) { try store.prove(wrong.proof, device.signature()) }
    }
    let right = try device.attempt("right", store)
    #expect(right.answer.remaining == 6)
    try store.prove(right.proof, device.signature())
    #expect(try store.accounts()[0].attempts == 0)
  }

  @Test(arguments: TestDatabase.kinds)
  func `A proof counts once`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    let right = try device.attempt("right", store)
    try store.prove(right.proof, device.signature())
    _ = try device.attempt("wrong", store)
    // The passphrase is right, so it is not called wrong.
    expectError(.throttled) { try store.prove(right.proof, device.signature()) }
    #expect(try store.accounts()[0].attempts == 1)
  }

  @Test(arguments: TestDatabase.kinds)
  func `Attempts have to wait after the delays`(kind: TestDatabase.Kind) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(
      rules: AttemptRules(limit: 4, delays: [0, 60]), clock: clock)
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    _ = try device.attempt("wrong", store)
    _ = try device.attempt("wrong", store)
    let error = expectError(.throttled) { try device.attempt("right", store) }
    let time = try #require((error?.cause as? RetryTime)?.date)
    #expect(Int64(time.timeIntervalSince1970 * 1000) == clock.milliseconds + 60_000)
    clock.advance(seconds: 60)
    #expect(try device.attempt("right", store).answer.remaining == 1)
  }

  @Test(arguments: TestDatabase.kinds)
  func `After the limit only the operator helps`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store(rules: AttemptRules(limit: 3, delays: []))
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    for _ in 0..<3 { _ = try device.attempt("wrong", store) }
    let error = expectError(.throttled) { try device.attempt("right", store) }
    #expect((error?.cause as? RetryTime) == RetryTime(date: nil))
    try store.unlockAccount("eva")
    let right = try device.attempt("right", store)
    try store.prove(right.proof, device.signature())
  }

  @Test(arguments: TestDatabase.kinds)
  func `The key is destroyed where the policy says so`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store(rules: AttemptRules(limit: 2, delays: []))
    try store.createAccount("eva", policy: AccountPolicy(destroysKey: true))
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    for _ in 0..<2 { _ = try device.attempt("wrong", store) }
    #expect(try !store.accounts()[0].isKeyDestroyed)
    expectError(.keyDestroyed) { try device.attempt("right", store) }
    #expect(try store.accounts()[0].isKeyDestroyed)
    try store.unlockAccount("eva")
    expectError(.keyDestroyed) { try device.attempt("right", store) }
  }

  @Test(arguments: TestDatabase.kinds)
  func `Parallel attempts of one account are all counted`(kind: TestDatabase.Kind) async throws {
    let database = try TestDatabase(kind)
    let rules = AttemptRules(limit: 20, delays: [])
    let store = try database.store(rules: rules)
    // Two servers on one database.
    let second = try database.store(rules: rules)
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    let answered = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<40 {
        let server = index.isMultiple(of: 2) ? store : second
        group.addTask {
          (try? TestAttempt("guess", account: "eva", publicKey: nil, server, nil)) != nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(answered == 20)
    #expect(try store.accounts()[0].attempts == 20)
  }

  @Test(arguments: TestDatabase.kinds)
  func `A passphrase is changed only with a proof of the former one`(kind: TestDatabase.Kind) throws
  {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try device.register("first", store)
    let second = try device.attempt("second", store)
    var registration = second.registration(former: nil)
    expectError(.authenticationFailed) {
      try store.register(registration, device.signature())
    }
    registration.former = second.proof
    expectError(.authenticationFailed) {
      try store.register(registration, device.signature())
    }
    registration.former = try device.attempt("first", store).proof
    try store.register(registration, device.signature())
    let again = try device.attempt("second", store)
    try store.prove(again.proof, device.signature())
    #expect(again.key == second.key)
  }
}
