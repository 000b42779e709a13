import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The server's part of a move from P384-SHA384 to ristretto255-SHA512.
@Suite struct SuccessionTests {
  private let store: KeyServerStore
  private let device: TestDevice

  init() throws {
    store = try TestDatabase(.embedded).store()
    try store.createAccount("eva", suite: .p384)
    device = try TestDevice(store, account: "eva")
    try device.register("right", store)
  }

  /// An attempt at the passphrase with the key that will follow.
  private func attempt(_ successor: Successor, _ device: TestDevice) throws -> TestAttempt {
    try TestAttempt(
      "right", account: "eva", publicKey: successor.publicKey, store, device.signature())
  }

  private func prepared(_ attempt: TestAttempt) throws -> Registration {
    var registration = attempt.registration(former: try device.attempt("right", store).proof)
    registration.carried = Data(repeating: 7, count: HardenedRoot.carriedCount)
    return registration
  }

  private func move(_ attempt: TestAttempt, _ registration: Registration) throws -> Move {
    try attempt.move(carried: registration.carried ?? Data(), realm: store.realm)
  }

  @Test func `The successor stays the same until the account has moved, and after it`() throws {
    let first = try store.successor(device.signature())
    #expect(first.publicKey.suite == .ristretto255)
    #expect(first.follows(device.publicKey, realm: store.realm, account: "eva"))
    #expect(try store.successor(device.signature()) == first)
    let registration = try prepared(attempt(first, device))
    try store.register(registration, device.signature())
    try store.move(move(attempt(first, device), registration), device.signature())
    #expect(try store.successor(device.signature()) == first)
  }

  @Test func `An attempt from before the move is right after it`() throws {
    let other = try TestDevice(store, account: "eva")
    let before = try other.attempt("right", store)
    let wrong = try other.attempt("wrong", store)
    let successor = try store.successor(device.signature())
    let next = try attempt(successor, device)
    let registration = try prepared(next)
    try store.register(registration, device.signature())
    try store.move(move(next, registration), device.signature())
    // The device has the key from before the move, so none is carried over for it.
    #expect(try store.prove(before.proof, other.signature()).carried == nil)
    expectError(.authenticationFailed) { try store.prove(wrong.proof, other.signature()) }
    let after = try attempt(successor, other)
    #expect(try store.prove(after.proof, other.signature()).carried == registration.carried)
    // A device that has not heard of it is told, and no attempt is counted.
    expectError(.moved) { try other.attempt("right", store) }
    #expect(try store.accounts()[0].attempts == 0)
  }

  @Test func `Nothing is moved without the passphrase or for another one`() throws {
    let successor = try store.successor(device.signature())
    let next = try attempt(successor, device)
    var unproved = next.registration(former: nil)
    unproved.carried = Data(count: HardenedRoot.carriedCount)
    expectError(.throttled) { try store.register(unproved, device.signature()) }
    unproved.former = try device.attempt("wrong", store).proof
    expectError(.authenticationFailed) { try store.register(unproved, device.signature()) }
    let registration = try prepared(next)
    // Not prepared yet.
    expectError(.throttled) { try store.move(move(next, registration), device.signature()) }
    try store.register(registration, device.signature())
    let wrong = try TestAttempt(
      "wrong", account: "eva", publicKey: successor.publicKey, store, device.signature())
    expectError(.authenticationFailed) {
      try store.move(move(wrong, registration), device.signature())
    }
    var other = registration
    other.carried?[0] ^= 1
    expectError(.authenticationFailed) { try store.move(move(next, other), device.signature()) }
    try store.createAccount("tom")
    let stranger = try TestDevice(store, account: "tom")
    expectError(.notPermitted) {
      try store.move(move(next, registration), stranger.signature())
    }
    #expect(try store.accounts().first { $0.name == "eva" }?.suite == .p384)
    // The control.
    try store.move(move(next, registration), device.signature())
    #expect(try store.accounts().first { $0.name == "eva" }?.suite == .ristretto255)
  }

  @Test func `A registration with a key that the account no longer has is to be tried again`()
    throws
  {
    let successor = try store.successor(device.signature())
    let late = try device.attempt("new", store)
    let former = try device.attempt("right", store)
    let next = try attempt(successor, device)
    let registration = try prepared(next)
    try store.register(registration, device.signature())
    try store.move(move(next, registration), device.signature())
    let error = expectError(.throttled) {
      try store.register(late.registration(former: former.proof), device.signature())
    }
    #expect((error?.cause as? RetryTime)?.date != nil)
  }

  @Test func `A reset or a destroyed key ends a move`() throws {
    let successor = try store.successor(device.signature())
    let next = try attempt(successor, device)
    let registration = try prepared(next)
    try store.register(registration, device.signature())
    try store.resetPassphrase(of: "eva")
    #expect(try store.accounts()[0].suite == .ristretto255)
    expectError(.throttled) { try store.move(move(next, registration), device.signature()) }
    // The key is another one than the successor of the key that was pinned.
    expectError(.notFound) { try store.successor(device.signature()) }
    expectError(.otherServerKey) { try attempt(successor, device) }
  }

  @Test func `A new account has no successor`() throws {
    try store.createAccount("tom")
    let tom = try TestDevice(store, account: "tom")
    #expect(tom.publicKey.suite == .ristretto255)
    expectError(.notFound) { try store.successor(tom.signature()) }
  }
}
