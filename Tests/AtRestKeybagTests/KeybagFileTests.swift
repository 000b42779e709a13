import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A keybag that differs from the one that was written is refused with a reason, and never causes a
/// crash.
@Suite struct KeybagFileTests {
  /// Returns the error of opening the store with a file's content replaced.
  private func opening(
    _ store: MemoryStore, _ name: String, _ data: Data
  ) throws -> AtRestError? {
    let whole = try store.storage.read(name)!
    try store.storage.replace(name, with: data)
    defer { try? store.storage.replace(name, with: whole) }
    return thrown { try store.open().lockState }
  }

  @Test func cutOffAtAnyLengthItIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let whole = try #require(try store.storage.read("keybag"))
    for count in 0..<whole.count {
      #expect(try opening(store, "keybag", whole.prefix(count))?.code == .damaged, "\(count)")
    }
    #expect(try opening(store, "keybag", whole + Data([0]))?.code == .damaged)
    #expect(try opening(store, "keybag", whole) == nil)
  }

  @Test(arguments: [UInt8(1), 0x80, 0xff])
  func withAnyByteFlippedItIsRefused(_ mask: UInt8) throws {
    let store = try MemoryStore(passcode: "1234")
    let whole = try #require(try store.storage.read("keybag"))
    for index in whole.indices {
      var flipped = whole
      flipped[index] ^= mask
      let error = try opening(store, "keybag", flipped)
      #expect(error?.refusal == .damaged, "\(index)")
      // Errors name the version and the generation, so both are read without authentication.
      switch error?.code {
      case .unsupportedVersion?: #expect((8..<10).contains(index))
      case .rolledBack?: #expect((10..<18).contains(index))
      default: #expect(error?.code == .damaged, "\(index)")
      }
    }
    try store.open().unlock("1234")
  }

  @Test func oneThatIsAPartOfOtherDataOpens() throws {
    let store = try MemoryStore(passcode: "1234")
    let name = "\(store.keybag.identity).keybag"
    let keybag = try #require(try store.storage.read("keybag"))
    let record = try #require(try store.device.recall(name))
    let before = Data(repeating: 1, count: 1000)
    // A storage or a device of another provider may return such files.
    try store.storage.replace("keybag", with: (before + keybag).dropFirst(1000))
    try store.device.remember((before + record).dropFirst(1000), as: name, durably: true)
    try store.open().unlock("1234")
    try store.open().change("1234", "5678")
    try store.open().wipe()
  }

  @Test func oneOfAnotherDeviceIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let error = try #require(
      thrown { try Keybag.open(in: store.storage, device: MemoryDeviceKey()) })
    #expect(error.code == .damaged && error.message.contains("another device"))
  }

  @Test func oneOfAnotherStoreIsRefusedOnceTheStoreIsKnown() throws {
    let store = try MemoryStore(passcode: "1234")
    let foreign = try #require(try MemoryStore(passcode: "1234").storage.read("keybag"))
    #expect(try opening(store, "keybag", foreign)?.code == .damaged)
    // A store of the same device is a valid store, but not the one that was open.
    let other = MemoryStorage()
    _ = try Keybag.create(
      in: other, device: store.device, passcode: nil, options: .forTesting())
    try store.storage.replace("keybag", with: #require(try other.read("keybag")))
    #expect(refusal { try store.keybag.refresh() } == .otherStore)
    #expect(store.keybag.available.isEmpty)
  }

  @Test func aStoreThatTheDeviceDoesNotKnowIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let name = "\(store.keybag.identity).keybag"
    let record = try #require(try store.device.recall(name))
    try store.device.forget(name)
    let error = try #require(thrown { try store.open().lockState })
    #expect(error.code == .damaged && error.message.contains("does not know"))
    #expect(refusal { try store.keybag.unlock("1234") } == .damaged)
    // Control: with its record, it opens.
    try store.device.remember(record, as: name, durably: true)
    try store.open().unlock("1234")
  }

  @Test func aRecordOfTheDeviceThatWasChangedIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let name = "\(store.keybag.identity).keybag"
    let record = try #require(try store.device.recall(name))
    for index in record.indices {
      var edited = record
      edited[index] ^= 1
      try store.device.remember(edited, as: name, durably: true)
      #expect(refusal { try store.keybag.unlock("1234") } == .damaged)
      #expect(refusal { try store.open().lockState } == .damaged)
    }
    try store.device.remember(record, as: name, durably: true)
    try store.keybag.unlock("1234")
  }
}
