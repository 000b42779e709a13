import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization
import Testing

/// One process locks the store for all that have unlocked it.
@Suite struct LockEverywhereTests {
  private let folder = TemporaryFolder()

  private func open() throws -> Keybag {
    try Keybag.open(
      at: folder.url.appendingPathComponent("store"),
      device: FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device")))
  }

  private func create() throws -> Keybag {
    try Keybag.create(
      at: folder.url.appendingPathComponent("store"),
      device: FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device")),
      passcode: SecretBytes(utf8: "1234"), options: .forTesting())
  }

  /// Waits until a keybag is locked, at most two minutes.
  private func isLocked(_ keybag: Keybag) -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while keybag.lockState == .unlocked, ContinuousClock.now < end { sched_yield() }
    return keybag.lockState == .locked
  }

  @Test func allUnlockedKeybagsLock() throws {
    let creator = try create()
    let (one, two) = (try open(), try open())
    try one.unlock("1234")
    try two.unlock("1234")
    // Control: a keybag that locks itself leaves the others as they are.
    one.lock()
    #expect(two.lockState == .unlocked && creator.lockState == .unlocked)
    try one.unlock("1234")
    let wrapped = try two.wrapAll()
    try one.lockEverywhere()
    #expect(one.lockState == .locked)
    #expect(isLocked(two) && isLocked(creator))
    for (keyClass, data) in wrapped where keyClass.availability == .whenUnlocked {
      #expect(!two.opens(data, keyClass))
    }
    // Each can be unlocked again, and follows the next lock too.
    try two.unlock("1234")
    #expect(two.lockState == .unlocked && creator.lockState == .locked)
    try creator.lockEverywhere()
    #expect(isLocked(two))
  }

  /// An unlock that fails at the same moment swallows no lock: it begins to wait for locks anew.
  @Test func anUnlockThatFailsSwallowsNoLock() throws {
    for number in 0..<20 {
      let place = folder.url.appendingPathComponent("\(number)")
      let device = try FileDeviceKey.openOrCreate(in: place.appendingPathComponent("device"))
      let store = place.appendingPathComponent("store")
      let keybag = try Keybag.create(
        at: store, device: device, passcode: SecretBytes(utf8: "1234"), options: .forTesting())
      let other = try Keybag.open(at: store, device: device)
      let isEnding = Atomic(false)
      let (isThrottled, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        var attempts = 0
        while !isEnding.load(ordering: .relaxed) {
          try? keybag.unlock("4321")
          attempts += 1
          if attempts == 10 { isThrottled.signal() }
        }
        hasEnded.signal()
      }
      isThrottled.wait()
      #expect(keybag.lockState == .unlocked)
      try other.lockEverywhere()
      let isDone = isLocked(keybag)
      isEnding.store(true, ordering: .relaxed)
      hasEnded.wait()
      #expect(isDone, "store \(number)")
      guard isDone else { return }
    }
  }

  /// A wrong passcode leaves the store unlocked, and it still follows.
  @Test func aWrongPasscodeEndsNothing() throws {
    let creator = try create()
    #expect(throws: AtRestError.self) { try creator.unlock("4321") }
    #expect(creator.lockState == .unlocked)
    try open().lockEverywhere()
    #expect(isLocked(creator))
  }

  /// A keybag that is locked may announce the lock.
  @Test func aLockedKeybagLocksOthers() throws {
    let creator = try create()
    try open().lockEverywhere()
    #expect(isLocked(creator))
  }

  /// Each lock has a number of its own, also if many come at the same time: a number that stood for two could be
  /// taken for one that was acted on before.
  @Test func noTwoLocksHaveTheSameNumber() throws {
    try create().close()
    let file = folder.url.appendingPathComponent("store/lock")
    func number() throws -> UInt32 {
      try Data(contentsOf: file).prefix(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }
    let keybags = try (0..<8).map { _ in try open() }
    let before = try number()
    DispatchQueue.concurrentPerform(iterations: keybags.count) { index in
      for _ in 0..<250 { try? keybags[index].lockEverywhere() }
    }
    #expect(try number() == before + 2000)
  }

  /// A file that does not hold a number any more locks the store at the next wake-up.
  @Test func aTruncatedFileLocks() throws {
    let creator = try create()
    let file = folder.url.appendingPathComponent("store/lock")
    #expect(truncate(file.path, 0) == 0)
    try open().lockEverywhere()
    #expect(isLocked(creator))
  }
}
