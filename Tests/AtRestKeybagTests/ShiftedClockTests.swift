import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// Delays do not pass where the clock can be set: in a time namespace, or with another file in the place
/// of the boot's identifier.
@Suite struct ShiftedClockTests {
  private func throttled() throws -> MemoryStore {
    let store = try MemoryStore(passcode: "1234")
    for _ in 0..<5 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    return store
  }

  @Test(arguments: [UInt64(0), 4000, 90_000, 0 &- 4000])
  func aDelayDoesNotPassInATimeNamespace(_ offset: UInt64) throws {
    let store = try throttled()
    store.clock.shift(by: offset)
    let error = try #require(thrown { try store.open().unlock("1234") })
    #expect(error.code == .throttled && error.message.contains("time namespace"))
    store.clock.advance(4000)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    // The control: outside, the delay has passed.
    store.clock.shift(by: nil)
    try store.open().unlock("1234")
  }

  /// An attempt whose time is in the past would end the delay outside at once.
  @Test func aDelayThatBeginsInATimeNamespaceIsMeasuredOutside() throws {
    let store = try MemoryStore(passcode: "1234")
    store.clock.shift(by: 0 &- 4000)
    for _ in 0..<5 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    store.clock.shift(by: nil)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(59)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(1)
    try store.open().unlock("1234")
  }

  @Test func withoutADelayATimeNamespaceChangesNothing() throws {
    let store = try MemoryStore(passcode: "1234")
    store.clock.shift(by: 4000)
    try store.open().unlock("1234")
  }

  @Test func aHiddenBootIsNotAnotherBoot() throws {
    let store = try throttled()
    store.clock.hideBoot(true)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    // The control: time passes with a hidden identifier too.
    store.clock.advance(60)
    try store.open().unlock("1234")
  }
}
