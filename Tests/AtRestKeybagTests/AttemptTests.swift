import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization
import Testing

/// Passcodes are counted before they are tried. Wrong ones cause delays, and may wipe the store.
@Suite struct AttemptTests {
  /// A device that records the calls to it, and can refuse to remember.
  private final class WatchedDevice: DeviceKeyProvider {
    struct Refused: Error {}
    private let device = MemoryDeviceKey()
    private let state = Mutex((calls: [String](), refuses: false))

    var calls: [String] { state.withLock { $0.calls } }
    func forgetCalls() { state.withLock { $0.calls = [] } }
    func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

    func tangle(_ input: borrowing SecretBytes, purpose: Purpose) throws -> SecretBytes {
      if purpose.label == "atrest.passcode-wrap.v1" {
        state.withLock { $0.calls.append("passcode") }
      }
      return try device.tangle(input, purpose: purpose)
    }
    func recall(_ name: String) throws -> Data? { try device.recall(name) }
    func remember(_ data: Data, as name: String, durably: Bool) throws {
      try state.withLock { state in
        state.calls.append(durably ? "remember" : "remember in passing")
        if state.refuses { throw Refused() }
      }
      try device.remember(data, as: name, durably: durably)
    }
    func rememberErasing(_ data: Data, as name: String) throws {
      try device.rememberErasing(data, as: name)
    }
    func exclusively<Result: ~Copyable>(
      _ name: String, _ body: () throws -> Result
    ) throws -> Result {
      try device.exclusively(name, body)
    }
    func forget(_ name: String) throws { try device.forget(name) }
    var risks: [StoreRisk] { [] }
  }

  private func watched() throws -> (WatchedDevice, Keybag) {
    let device = WatchedDevice()
    let keybag = try Keybag.create(
      in: MemoryStorage(), device: device, passcode: SecretBox(SecretBytes(utf8: "1234")),
      options: .forTesting())
    device.forgetCalls()
    return (device, keybag)
  }

  @Test func anAttemptIsCountedDurablyBeforeThePasscodeIsTried() throws {
    let (device, keybag) = try watched()
    #expect(refusal { try keybag.unlock("x") } == .authenticationFailed)
    #expect(device.calls == ["remember", "passcode"])
    device.forgetCalls()
    try keybag.unlock("1234")
    #expect(device.calls == ["remember", "passcode", "remember"])
  }

  @Test func whatCannotBeCountedIsNotTried() throws {
    let (device, keybag) = try watched()
    keybag.lock()
    device.refuse(true)
    #expect(throws: WatchedDevice.Refused.self) { try keybag.unlock("1234") }
    #expect(device.calls == ["remember"])
    #expect(keybag.lockState == .locked)
    #expect(!keybag.isAvailable(.complete))
    device.refuse(false)
    try keybag.unlock("1234")
  }

  @Test func delaysGrow() throws {
    let store = try MemoryStore(passcode: "1234")
    for attempt in 1...5 {
      #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed)
      #expect(try store.keybag.failedAttempts() == attempt)
    }
    for minutes: UInt64 in [1, 5, 15, 15, 60, 60] {
      // The correct passcode is not tried either, and nothing is counted.
      let before = try store.keybag.failedAttempts()
      #expect(refusal { try store.keybag.unlock("1234") } == .throttled)
      store.clock.advance(minutes * 60 - 1)
      #expect(refusal { try store.keybag.unlock("1234") } == .throttled)
      #expect(try store.keybag.failedAttempts() == before)
      store.clock.advance(1)
      #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed)
    }
    store.clock.advance(3600)
    try store.keybag.unlock("1234")
    #expect(try store.keybag.failedAttempts() == 0)
    #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed)
    #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed)
  }

  @Test func everyWayToTryAPasscodeIsCountedAndDelayed() throws {
    let store = try MemoryStore(passcode: "1234")
    let ways: [(Keybag) throws -> Void] = [
      { try $0.unlock("x") }, { try $0.verify(passcode: SecretBytes(utf8: "x")) },
      { try $0.change("x", "y") }, { try $0.remove("x") }, { try $0.unlock("") },
    ]
    for (index, way) in ways.enumerated() {
      #expect(refusal { try way(store.keybag) } == .authenticationFailed)
      #expect(try store.keybag.failedAttempts() == index + 1)
    }
    for way in ways { #expect(refusal { try way(store.keybag) } == .throttled) }
  }

  @Test func theLimitWipesTheStore() throws {
    let store = try MemoryStore(passcode: "1234", attemptLimit: 3)
    let wrapped = try store.keybag.wrapAll()
    let told = Counter()
    store.keybag.onLock { told.add() }
    for _ in 0..<2 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    #expect(store.keybag.opens(wrapped[.complete]!, .complete))
    #expect(refusal { try store.keybag.unlock("x") } == .wiped)
    #expect(store.keybag.available.isEmpty)
    #expect(told.value > 0, "What is cached is erased as well.")
    for (keyClass, data) in wrapped { #expect(!store.keybag.opens(data, keyClass)) }
    #expect(refusal { try store.keybag.unlock("1234") } == .wiped)
    #expect(refusal { try store.open().lockState } == .notFound)
  }

  @Test func aRightPasscodeInTimeKeepsTheStore() throws {
    let store = try MemoryStore(passcode: "1234", attemptLimit: 3)
    for _ in 0..<4 {
      for _ in 0..<2 { _ = refusal { try store.keybag.unlock("x") } }
      try store.keybag.unlock("1234")
    }
    #expect(store.keybag.available == .all)
  }
}
