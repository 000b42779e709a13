import AtRest
import Foundation
import Synchronization
import Testing

/// A timer purges without a call of the application.
@Suite struct PurgeTimerTests {
  private let record = VaultRecord<String>("limited", .document, keep: .minutes(5))

  @Test func purgesAtEachInterval() async throws {
    let test = try TestVault()
    let vault = try await Vault.open(
      in: test.folder, keychain: test.device.keychain(), options: test.options)
    let eva = try await vault.logIn("eva")
    let clock = SteppedClock()
    let purges = vault.purge(every: .seconds(60), on: clock)
    for _ in 0..<2 {
      try await eva.store("text", in: record)
      await clock.sleeper()
      #expect(try test.itemCount(of: "value.limited") == 1)
      test.device.advanceClock(by: 301)
      clock.step()
      // The next pause begins after the purge.
      await clock.sleeper()
      #expect(try test.itemCount(of: "value.limited") == 0)
    }
    purges.cancel()
    await purges.value
  }

  @Test func endsWhenItIsCancelledOrTheVaultIsWiped() async throws {
    let test = try TestVault()
    let vault = try await Vault.open(
      in: test.folder, keychain: test.device.keychain(), options: test.options)
    let clock = SteppedClock()
    let cancelled = vault.purge(every: .seconds(60), on: clock)
    await clock.sleeper()
    cancelled.cancel()
    await cancelled.value
    let other = vault.purge(every: .seconds(60), on: clock)
    await clock.sleeper()
    try vault.wipe()
    clock.step()
    await other.value
  }

  @Test func doesNotKeepTheVault() async throws {
    let test = try TestVault()
    let clock = SteppedClock()
    weak var former: Vault?
    let purges: Task<Void, Never>
    do {
      let vault = try await Vault.open(
        in: test.folder, keychain: test.device.keychain(), options: test.options)
      former = vault
      purges = vault.purge(every: .seconds(60), on: clock)
    }
    await clock.sleeper()
    #expect(former == nil)
    clock.step()
    await purges.value
  }

  /// The expiry is noticed by another call before the purge.
  @Test func aCallThatNoticesTheExpiryClosesHandlesToo() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let report = VaultRecord<Data>("report", .document, keep: .minutes(5))
    try eva.store(Data(count: 20_000), in: report)
    let handle = try eva.open(report)
    #expect(try handle.read(upToCount: 1, at: 0).count == 1)
    test.device.advanceClock(by: 301)
    #expect(try !eva.contains(report))
    #expect(throws: AtRestError.self) { try handle.read(upToCount: 1, at: 0) }
  }

  @Test func closesHandlesOfExpiredValues() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let report = VaultRecord<Data>("report", .document, keep: .minutes(5))
    try eva.store(Data(count: 20_000), in: report)
    try eva.store(Data(count: 20_000), in: .attachment)
    let (expiring, kept) = (try eva.open(report), try eva.open(.attachment))
    test.device.advanceClock(by: 301)
    #expect(try eva.vault.purge() == 1)
    #expect(throws: AtRestError.self) { try expiring.read(upToCount: 1, at: 0) }
    // Control: the handle of a value that has not expired.
    #expect(try kept.read(upToCount: 1, at: 0).count == 1)
  }
}

/// A clock whose sleepers wake when the test says so.
final class SteppedClock: Clock, Sendable {
  typealias Instant = ContinuousClock.Instant
  private struct State {
    var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    var watchers: [CheckedContinuation<Void, Never>] = []
    var next = 0
  }
  private let state = Mutex(State())

  var now: Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let watchers = state.withLock { state in
          guard !Task.isCancelled else {
            continuation.resume(throwing: CancellationError())
            return [CheckedContinuation<Void, Never>]()
          }
          state.sleepers[number] = continuation
          defer { state.watchers = [] }
          return state.watchers
        }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?
        .resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps.
  func sleeper() async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isAsleep { continuation.resume() }
    }
  }

  /// Wakes all sleepers.
  func step() {
    let sleepers = state.withLock { state in
      defer { state.sleepers = [:] }
      return state.sleepers.values.map { $0 }
    }
    for sleeper in sleepers { sleeper.resume() }
  }
}
