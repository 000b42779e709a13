import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// Delays after wrong passcodes follow the boot-time clock, whatever the wall clock shows.
@Suite struct AttemptDelayTests {
  private func throttled() throws -> MemoryStore {
    let store = try MemoryStore(passcode: "1234")
    for _ in 0..<5 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    return store
  }

  @Test(arguments: [UInt64(0), 10, 1_000_000_000, 4_000_000_000])
  func settingTheWallClockChangesNothing(_ date: UInt64) throws {
    let store = try throttled()
    store.clock.setDate(date)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(59)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(1)
    try store.open().unlock("1234")
  }

  @Test func aWallClockThatRanAheadLocksNobodyOut() throws {
    let store = try MemoryStore(passcode: "1234")
    store.clock.setDate(2_000_000_000)
    for _ in 0..<5 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    store.clock.setDate(1_700_000_000)
    store.clock.advance(60)
    try store.open().unlock("1234")
  }

  @Test func aRestartCountsOnlyTheTimeSinceThen() throws {
    let store = try throttled()
    store.clock.advance(59)
    store.clock.restart()
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(59)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(1)
    try store.open().unlock("1234")
  }

  @Test func aRestartBeforeALongerTimeEndsTheDelay() throws {
    let store = try throttled()
    store.clock.restart(60)
    try store.open().unlock("1234")
  }

  @Test func aBootTimeClockThatFallsBackStartsTheDelayOnce() throws {
    let store = try throttled()
    store.clock.setBack(10_000)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(59)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(1)
    try store.open().unlock("1234")
  }
}
