import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A keybag that is not the one that was written is refused, with the reason, and never a crash.
@Suite struct KeybagFileTests {
  /// What opening gives with a file's content replaced.
  private func opening(
    _ store: MemoryStore, _ name: String, _ data: Data
  ) throws -> AtRestError? {
    let whole = try store.storage.read(name)!
    try store.storage.replace(name, with: data)
    defer { try? store.storage.replace(name, with: whole) }
    return thrown { try store.open().lockState }
  }

  @Test(arguments: ["keybag", "effaceable"])
  func cutOffAtAnyLengthItIsRefused(_ name: String) throws {
    let store = try MemoryStore(passcode: "1234")
    let whole = try #require(try store.storage.read(name))
    for count in 0..<whole.count {
      #expect(try opening(store, name, whole.prefix(count))?.code == .damaged, "\(count)")
    }
    #expect(try opening(store, name, whole + Data([0]))?.code == .damaged)
    #expect(try opening(store, name, whole) == nil)
    print("\(name): \(whole.count) lengths refused")
  }

  @Test(arguments: ["keybag", "effaceable"], [UInt8(1), 0x80, 0xff])
  func withAnyByteFlippedItIsRefused(_ name: String, _ mask: UInt8) throws {
    let store = try MemoryStore(passcode: "1234")
    let whole = try #require(try store.storage.read(name))
    var refused = 0
    for index in whole.indices {
      var flipped = whole
      flipped[index] ^= mask
      let code = try opening(store, name, flipped)?.code
      // A version is the one thing that is believed unauthenticated, so that it can be named.
      #expect(code == .damaged || name == "keybag" && code == .unsupportedVersion, "\(index)")
      if code == .unsupportedVersion { #expect((8..<10).contains(index)) }
      refused += 1
    }
    print("\(name): \(refused) flips refused")
    try store.open().unlock("1234")
  }

  @Test func anOlderOnePutBackIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let older = try #require(try store.storage.read("keybag"))
    try store.keybag.change("1234", "5678")
    try store.storage.replace("keybag", with: older)
    let error = try #require(thrown { try store.open().lockState })
    #expect(error.code == .rolledBack && error.refusal == .damaged)
    #expect(refusal { try store.keybag.unlock("1234") } == .rolledBack)
    // On purpose it is accepted, and is then the present one.
    try store.open(acceptingOlder: true).unlock("1234")
    try store.open().unlock("1234")
  }

  @Test func oneOfAnotherDeviceIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let error = try #require(
      thrown { try Keybag.open(in: store.storage, device: MemoryDeviceKey()) })
    #expect(error.code == .damaged && error.message.contains("another device"))
    #expect(
      refusal {
        try Keybag.open(in: store.storage, device: MemoryDeviceKey(), acceptingOlder: true)
      } == .damaged)
  }

  @Test func oneOfAnotherStoreIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let foreign = try #require(try MemoryStore(passcode: "1234").storage.read("keybag"))
    #expect(try opening(store, "keybag", foreign)?.code == .damaged)
    // Of the same device, too.
    let other = MemoryStorage()
    _ = try Keybag.create(
      in: other, device: store.device, passcode: nil, options: .init(kdf: .forTesting))
    let error = try opening(store, "keybag", #require(try other.read("keybag")))
    #expect(error?.code == .damaged && error?.message.contains("another store") == true)
  }

  @Test func aStoreThatTheDeviceDoesNotRememberIsRefusedUnlessAccepted() throws {
    let store = try MemoryStore(passcode: "1234")
    try store.device.forget("\(store.keybag.store.text).keybag")
    #expect(refusal { try store.open().lockState } == .rolledBack)
    #expect(refusal { try store.keybag.unlock("1234") } == .rolledBack)
    try store.open(acceptingOlder: true).unlock("1234")
    try store.open().unlock("1234")
  }

  @Test func acceptingOlderForgetsNoAttempts() throws {
    let store = try MemoryStore(passcode: "1234")
    for _ in 0..<5 { _ = refusal { try store.keybag.unlock("x") } }
    #expect(refusal { try store.open(acceptingOlder: true).unlock("1234") } == .throttled)
  }

  @Test func aSecondStoreInOnePlaceIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    #expect(
      refusal {
        try Keybag.create(
          in: store.storage, device: store.device, passcode: nil,
          options: .init(kdf: .forTesting))
      } == .duplicate)
    try store.open().unlock("1234")
  }
}
