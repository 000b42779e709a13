import AtRest
import Foundation
import Synchronization
import Testing

@Suite struct TimedSecretTests {
  private final class Clock: Sendable {
    private let date = Mutex(Date(timeIntervalSince1970: 1_000_000))
    var now: @Sendable () -> Date { { self.date.withLock { $0 } } }
    func advance(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }
  }

  private let clock = Clock()
  private let box = SecretBox(SecretBytes(utf8: "s3cr3t"))

  @Test func itIsThereForItsTime() {
    let timed = TimedSecret(now: clock.now)
    #expect(timed.get() == nil)
    timed.keep(box, for: .seconds(60))
    clock.advance(59)
    #expect(timed.get() === box)
    clock.advance(1)
    #expect(timed.get() == nil)
    // The secret does not return.
    clock.advance(-30)
    #expect(timed.get() == nil)
  }

  @Test func aClockThatIsPutBackEndsIt() {
    let timed = TimedSecret(now: clock.now)
    timed.keep(box, for: .seconds(60))
    clock.advance(-1)
    #expect(timed.get() == nil)
  }

  @Test func itIsErasedOnCommand() {
    let timed = TimedSecret(now: clock.now)
    timed.keep(box, for: .seconds(60))
    timed.erase()
    #expect(timed.get() == nil)
  }

  @Test func noTimeIsNoTime() {
    let timed = TimedSecret(now: clock.now)
    timed.keep(box, for: .seconds(60))
    timed.keep(box, for: .zero)
    #expect(timed.get() == nil)
  }

  @Test func theTimeOfAFormerSecretDoesNotEndTheNext() async {
    let timed = TimedSecret(now: clock.now)
    weak var former: SecretBox?
    do {
      let box = SecretBox(SecretBytes(utf8: "former"))
      former = box
      timed.keep(box, for: .milliseconds(1))
    }
    timed.keep(box, for: .seconds(3600))
    #expect(former == nil)
    // Timers fire in the order of their times.
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).asyncAfter(wallDeadline: .now() + 0.05) {
        continuation.resume()
      }
    }
    #expect(timed.get() === box)
  }

  @Test func itIsErasedWhenNobodyAsks() async {
    // The clock stands still, so only the timer can have erased the secret.
    let (timed, lasting) = (TimedSecret(now: clock.now), TimedSecret(now: clock.now))
    weak var kept: SecretBox?
    weak var other: SecretBox?
    do {
      let box = SecretBox(SecretBytes(utf8: "s3cr3t"))
      let otherBox = SecretBox(SecretBytes(utf8: "s3cr3t"))
      kept = box
      other = otherBox
      timed.keep(box, for: .milliseconds(20))
      lasting.keep(otherBox, for: .seconds(3600))
    }
    let limit = ContinuousClock.now + .seconds(120)
    while kept != nil, ContinuousClock.now < limit { await Task.yield() }
    #expect(kept == nil)
    // Control: only the time is another one.
    #expect(other != nil)
    withExtendedLifetime((timed, lasting)) {}
  }

  @Test func itIsKeptWhereTheTimeIsLong() async {
    let timed = TimedSecret(now: clock.now)
    timed.keep(box, for: .seconds(Int64.max))
    for _ in 0..<1000 { await Task.yield() }
    #expect(timed.get() === box)
  }
}
