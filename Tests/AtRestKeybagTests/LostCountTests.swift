import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A device that lost its count of attempts starts with the longest delay, and lets the owner in
/// after it.
@Suite struct LostCountTests {
  private enum Loss: CaseIterable { case removed, emptied, changed }

  private func lose(_ loss: Loss, _ store: MemoryStore) throws {
    let name = "\(store.keybag.identity).attempts"
    var record = try #require(try store.device.recall(name))
    record[0] ^= 1
    switch loss {
    case .removed: try store.device.forget(name)
    case .emptied: try store.device.remember(Data(), as: name, durably: true)
    case .changed: try store.device.remember(record, as: name, durably: true)
    }
  }

  @Test(arguments: Loss.allCases, [UInt16(0), 1, 3, 10, 100])
  private func theOwnerGetsInAfterTheLongestDelay(_ loss: Loss, _ limit: UInt16) throws {
    let store = try MemoryStore(passcode: "1234", attemptLimit: limit)
    try lose(loss, store)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    // The lost record is written again at once, so the delay runs from then on.
    store.clock.advance(3599)
    #expect(refusal { try store.open().unlock("1234") } == .throttled)
    store.clock.advance(1)
    try store.open().unlock("1234")
    #expect(try store.keybag.failedAttempts() == 0)
    // Control: with a count, a second attempt is allowed at once.
    try store.open().unlock("1234")
  }

  @Test(arguments: [UInt16(3), 10, 100])
  func losingItAgainAndAgainDoesNotPassTheLimit(_ limit: UInt16) throws {
    let store = try MemoryStore(passcode: "1234", attemptLimit: limit)
    #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed)
    try lose(.removed, store)
    #expect(refusal { try store.keybag.unlock("x") } == .throttled)
    store.clock.advance(3600)
    #expect(refusal { try store.keybag.unlock("x") } == .wiped)
  }

  @Test func withoutALimitTheDelayStays() throws {
    let store = try MemoryStore(passcode: "1234")
    for _ in 0..<3 {
      try lose(.removed, store)
      #expect(refusal { try store.keybag.unlock("x") } == .throttled)
      store.clock.advance(3600)
      #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed)
    }
  }
}
