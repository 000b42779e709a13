import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// What follows when strangers use up the attempts of an account.
@Suite struct UsedUpAttemptTests {
  private let rules = AttemptRules(limit: 2, delays: [])

  /// Makes an account whose key is destroyed, with a passphrase.
  private func makeAccount(_ store: KeyServerStore) throws -> TestDevice {
    try store.createAccount(
      "eva", policy: AccountPolicy(destroysKey: true, allowsUnknownDevices: true))
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    return device
  }

  private func guess(_ account: String, _ store: KeyServerStore) throws {
    _ = try TestAttempt("guess", account: account, publicKey: nil, store, nil)
  }

  /// The events after those of `makeAccount`.
  private func events(_ store: KeyServerStore) throws -> [String] {
    var events: [String] = []
    _ = try store.forEachAuditEntry { events.append($0.event) }
    return Array(events.drop { !$0.hasPrefix("passphrase registered") }.dropFirst())
  }

  @Test(arguments: TestDatabase.kinds)
  func `The audit log follows, and names without an account leave no entry`(
    kind: TestDatabase.Kind
  ) throws {
    let store = try TestDatabase(kind).store(rules: rules)
    _ = try makeAccount(store)
    for name in ["eva", "nobody"] {
      try guess(name, store)
      try guess(name, store)
      expectError(.throttled) { try guess(name, store) }
    }
    #expect(try events(store).isEmpty && !store.accounts()[0].isKeyDestroyed)
    try store.settleAttempts()
    // Nobody without a device destroys anything.
    let expected = ["attempts used up by unknown devices: eva"]
    #expect(try events(store) == expected && !store.accounts()[0].isKeyDestroyed)
    try store.settleAttempts()
    #expect(try events(store) == expected)
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `An account that fails does not keep the others from being settled, and is tried again`()
    throws
  {
    let database = try TestDatabase(.postgreSQL)
    let store = try database.store(rules: rules)
    _ = try makeAccount(store)
    func useUp(_ name: String) throws {
      try guess(name, store)
      try guess(name, store)
    }
    try useUp("eva")
    try database.psql("UPDATE keyserver_attempts SET edition = edition + 1")
    for name in ["tom", "kim"] {
      try store.createAccount(name, policy: AccountPolicy(allowsUnknownDevices: true))
      try useUp(name)
    }
    expectError(.damaged) { try store.settleAttempts() }
    func used() throws -> Set<String> {
      Set(try events(store).filter { $0.hasPrefix("attempts used up") })
    }
    let others: Set = [
      "attempts used up by unknown devices: tom", "attempts used up by unknown devices: kim",
    ]
    #expect(try used() == others)
    try database.psql("UPDATE keyserver_attempts SET edition = edition - 1 WHERE edition > 3")
    try store.settleAttempts()
    #expect(try used() == others.union(["attempts used up by unknown devices: eva"]))
    let ofTom = try events(store).filter { $0.hasSuffix(": tom") }
    #expect(ofTom == ["account created: tom", "attempts used up by unknown devices: tom"])
  }

  @Test(arguments: TestDatabase.kinds)
  func `Strangers keep no device of the account from its passphrase`(
    kind: TestDatabase.Kind
  ) throws {
    let store = try TestDatabase(kind).store(rules: rules)
    let device = try makeAccount(store)
    for _ in 0..<2 { try guess("eva", store) }
    for _ in 0..<20 { expectError(.throttled) { try guess("eva", store) } }
    try store.settleAttempts()
    #expect(try !store.accounts()[0].isKeyDestroyed)
    let right = try device.attempt("right", store)
    try store.prove(right.proof, device.signature())
    // The control: a stranger still has to wait for the operator, with the right passphrase too.
    expectError(.throttled) { try device.attempt("right", store, signed: false) }
    try store.unlockAccount("eva")
    let new = try device.attempt("right", store, signed: false)
    try store.prove(new.proof, nil)
  }

  @Test(arguments: TestDatabase.kinds)
  func `Attempts of the account's own device have their consequences at once`(
    kind: TestDatabase.Kind
  ) throws {
    let store = try TestDatabase(kind).store(rules: rules)
    let device = try makeAccount(store)
    for _ in 0..<2 { _ = try device.attempt("wrong", store) }
    expectError(.keyDestroyed) { try device.attempt("wrong", store) }
    #expect(
      try events(store) == [
        "attempts used up: eva", "key destroyed after too many attempts: eva",
      ])
  }
}
