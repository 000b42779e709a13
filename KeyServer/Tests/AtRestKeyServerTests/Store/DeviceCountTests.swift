import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// Somebody with the data of a device guesses between the owner's own uses.
@Suite struct DeviceCountTests {
  @Test(arguments: TestDatabase.kinds)
  func `The owner's proofs do not reset the attempts of another device`(
    kind: TestDatabase.Kind
  ) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(clock: clock)
    try store.createAccount("eva")
    let (owner, thief) = try (
      TestDevice(store, account: "eva"), TestDevice(store, account: "eva")
    )
    try owner.register("right", store)
    var guesses = 0
    var reported: UInt32 = 0
    for _ in 0..<30 {
      clock.advance(seconds: 86_400)
      for _ in 0..<4 where (try? thief.attempt("guess", store)) != nil { guesses += 1 }
      let right = try owner.attempt("right", store)
      reported += try store.prove(right.proof, owner.signature()).unproved
    }
    #expect(guesses == 10)
    #expect(reported == 10)
    var events: [String] = []
    _ = try store.forEachAuditEntry { events.append($0.event) }
    #expect(events.contains("attempts that were not proved: 4 at eva"))
    #expect(events.contains("attempts used up: eva"))
  }

  @Test(arguments: TestDatabase.kinds)
  func `A guess is reported although other attempts were proved late`(
    kind: TestDatabase.Kind
  ) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let (one, two, thief) = try (
      TestDevice(store, account: "eva"), TestDevice(store, account: "eva"),
      TestDevice(store, account: "eva")
    )
    try one.register("right", store)
    try store.prove(one.attempt("right", store).proof, one.signature())
    let late = try two.attempt("right", store)
    // One attempt of another device is at work.
    #expect(try store.prove(one.attempt("right", store).proof, one.signature()).unproved == 1)
    _ = try thief.attempt("guess", store)
    #expect(try store.prove(late.proof, two.signature()).unproved == 1)
    #expect(try store.prove(one.attempt("right", store).proof, one.signature()).unproved == 1)
    #expect(try store.prove(one.attempt("right", store).proof, one.signature()).unproved == 0)
  }

  @Test(arguments: TestDatabase.kinds)
  func `The policy bounds what a copy of a device can guess in a year`(
    kind: TestDatabase.Kind
  ) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(clock: clock)
    try store.createAccount("eva", policy: AccountPolicy(attemptsPerYear: 20))
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    try store.prove(device.attempt("right", store).proof, device.signature())
    var guesses = 0
    for _ in 0..<30 {
      clock.advance(seconds: 86_400)
      // The thief has the same identity, so the owner's proofs reset its attempts.
      for _ in 0..<3 where (try? device.attempt("guess", store)) != nil { guesses += 1 }
      guard let right = try? device.attempt("right", store) else { continue }
      try store.prove(right.proof, device.signature())
    }
    #expect(guesses == 20)
    let error = expectError(.throttled) { try device.attempt("right", store) }
    #expect((error?.cause as? RetryTime)?.date != nil)
    clock.advance(seconds: 366 * 86_400)
    try store.prove(device.attempt("right", store).proof, device.signature())
  }
}
