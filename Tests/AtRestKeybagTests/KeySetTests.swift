import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A first passcode draws new class keys. The former ones are kept for reading.
@Suite struct KeySetTests {
  private static let purpose = Purpose("test")

  private func derived(
    _ keybag: Keybag, _ keyClass: KeyClass, _ set: UInt32? = nil
  ) throws -> Data {
    Data(copying: try keybag.derive(Self.purpose, from: keyClass, set: set))
  }

  @Test func aFirstPasscodeDrawsNewKeysForEveryClass() throws {
    let store = try MemoryStore()
    #expect(store.keybag.keySet == 1)
    var former: [KeyClass: Data] = [:]
    for keyClass in Set.withoutPasscode { former[keyClass] = try derived(store.keybag, keyClass) }
    try store.keybag.set("1234")
    let reopened = try store.open()
    try reopened.unlock("1234")
    for keybag in [store.keybag, reopened] {
      #expect(keybag.keySet == 2)
      for (keyClass, key) in former {
        #expect(try derived(keybag, keyClass) != key)
        #expect(try derived(keybag, keyClass, 1) == key)
      }
    }
  }

  @Test func aChangeAndARemovalKeepTheKeys() throws {
    let store = try MemoryStore()
    try store.keybag.set("1234")
    var keys: [KeyClass: Data] = [:]
    for keyClass in Set.withoutPasscode { keys[keyClass] = try derived(store.keybag, keyClass) }
    try store.keybag.change("1234", "5678")
    #expect(store.keybag.keySet == 2)
    for (keyClass, key) in keys { #expect(try derived(store.keybag, keyClass) == key) }
    try store.keybag.remove("5678")
    #expect(try store.open().keySet == 2)
    for (keyClass, key) in keys { #expect(try derived(store.open(), keyClass) == key) }
  }

  @Test func formerKeysFollowTheLockStateLikePresentOnes() throws {
    let store = try MemoryStore()
    try store.keybag.set("1234")
    func available(_ keybag: Keybag, _ set: UInt32) -> Set<KeyClass> {
      Set(KeyClass.allCases.filter { keybag.isAvailable($0, set: set) })
    }
    let restarted = try store.open()
    for set in [UInt32(1), 2] { #expect(available(restarted, set) == .available(.always)) }
    try restarted.unlock("1234")
    #expect(available(restarted, 1) == .withoutPasscode)
    #expect(available(restarted, 2) == .all)
    restarted.lock()
    for set in [UInt32(1), 2] {
      #expect(available(restarted, set) == .available(.always, .afterFirstUnlock))
    }
    #expect(refusal { try derived(restarted, .complete, 1) } == .locked)
    restarted.close()
    for set in [UInt32(1), 2] { #expect(available(restarted, set).isEmpty) }
  }

  @Test func theWhenPasscodeSetClassGoesWithItsPasscode() throws {
    let store = try MemoryStore(passcode: "1234")
    #expect(store.keybag.keySet == 1)
    try store.keybag.remove("1234")
    try store.keybag.set("5678")
    #expect(store.keybag.keySet == 2)
    #expect(store.keybag.isAvailable(.whenPasscodeSetThisDeviceOnly))
    #expect(!store.keybag.isAvailable(.whenPasscodeSetThisDeviceOnly, set: 1))
    #expect(refusal { try derived(store.keybag, .whenPasscodeSetThisDeviceOnly, 1) } == .damaged)
    #expect(try derived(store.keybag, .whenUnlocked, 1).count == 32)
  }

  @Test func anUnknownSetIsDamage() throws {
    let store = try MemoryStore()
    for set in [UInt32(0), 2, .max] {
      #expect(refusal { try derived(store.keybag, .complete, set) } == .damaged)
      #expect(!store.keybag.isAvailable(.complete, set: set))
    }
    #expect(try derived(store.keybag, .complete, 1) == derived(store.keybag, .complete))
  }

  @Test func theIndexKeyNeverChanges() throws {
    let store = try MemoryStore()
    func index(_ keybag: Keybag) throws -> Data {
      Data(copying: try keybag.deriveFromIndexKey(Self.purpose, context: Data([1])))
    }
    let key = try index(store.keybag)
    #expect(
      try Data(copying: store.keybag.deriveFromIndexKey(Self.purpose, context: Data([2]))) != key)
    try store.keybag.set("1234")
    store.keybag.lock()
    #expect(try index(store.keybag) == key)
    try store.keybag.change("1234", "5678")
    try store.keybag.remove("5678")
    #expect(try index(store.open()) == key)
    try store.keybag.set("1234")
    let locked = try store.open()
    #expect(locked.lockState == .beforeFirstUnlock)
    #expect(try index(locked) == key)
    locked.close()
    #expect(refusal { try index(locked) } == .locked)
  }

  @Test func anotherProcessesFirstPasscodeLocks() throws {
    let store = try MemoryStore()
    let other = try store.open()
    let told = Counter()
    other.onLock { told.add() }
    try store.keybag.set("1234")
    try other.refresh()
    #expect(other.lockState == .locked && told.value == 1)
    #expect(other.keySet == 2)
    #expect(refusal { try derived(other, .whenUnlocked) } == .locked)
    #expect(refusal { try derived(other, .whenUnlocked, 1) } == .locked)
    #expect(try derived(other, .always) == derived(store.keybag, .always))
    try other.unlock("1234")
    #expect(try derived(other, .whenUnlocked) == derived(store.keybag, .whenUnlocked))
  }

  @Test func theNumberOfSetsIsBounded() throws {
    let store = try MemoryStore()
    for _ in 0..<254 {
      try store.keybag.set("1234")
      try store.keybag.remove("1234")
    }
    #expect(try store.open().keySet == 255)
    let error = try #require(thrown { try store.keybag.set("1234") })
    #expect(error.code == .invalidArgument && error.message.contains("255"))
    #expect(try store.open().lockState == .unlocked, "What is there goes on.")
    #expect(try derived(store.open(), .complete, 1).count == 32)
  }
}
