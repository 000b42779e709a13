import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// The class keys that are in memory in each lock state.
@Suite struct LockStateTests {
  @Test func classesAreThereWhenTheyAreMeantToBe() throws {
    let store = try MemoryStore(passcode: "1234")
    #expect(store.keybag.lockState == .unlocked)
    #expect(store.keybag.available == .all)
    store.keybag.lock()
    #expect(store.keybag.lockState == .locked)
    #expect(store.keybag.available == .available(.always, .afterFirstUnlock))
    let restarted = try store.open()
    #expect(restarted.lockState == .beforeFirstUnlock)
    #expect(restarted.available == .available(.always))
    restarted.lock()
    #expect(restarted.lockState == .beforeFirstUnlock)
    try restarted.unlock("1234")
    #expect(restarted.lockState == .unlocked && restarted.available == .all)
    restarted.close()
    #expect(restarted.lockState == .beforeFirstUnlock && restarted.available.isEmpty)
  }

  @Test func aStoreWithoutAPasscodeUnlocksItself() throws {
    let store = try MemoryStore()
    #expect(store.keybag.available == .withoutPasscode)
    let restarted = try store.open()
    #expect(restarted.lockState == .unlocked && restarted.available == .withoutPasscode)
    restarted.lock()
    #expect(restarted.available == .available(.always, .afterFirstUnlock))
    try restarted.unlock()
    #expect(restarted.available == .withoutPasscode)
    #expect(refusal { try restarted.unlock("1234") } == .passcodeNotSet)
  }

  @Test func keysStayTheSameOverRestarts() throws {
    let store = try MemoryStore(passcode: "1234")
    let wrapped = try store.keybag.wrapAll()
    #expect(wrapped.count == KeyClass.allCases.count)
    let restarted = try store.open()
    for (keyClass, data) in wrapped {
      #expect(restarted.opens(data, keyClass) == (keyClass.availability == .always))
    }
    try restarted.unlock("1234")
    for (keyClass, data) in wrapped {
      #expect(restarted.opens(data, keyClass))
      // No class unwraps a key that another class wrapped.
      for other in KeyClass.allCases where other != keyClass {
        #expect(!restarted.opens(data, other))
      }
    }
  }

  @Test func aClassThatIsNotThereIsNamed() throws {
    let store = try MemoryStore(passcode: "1234")
    store.keybag.lock()
    let error = try #require(
      thrown { try store.keybag.wrap(SecretBytes.random(count: 32), under: .complete) })
    #expect(error.code == .locked && error.message.contains(KeyClass.complete.name))
    let bare = try MemoryStore()
    #expect(
      refusal {
        try bare.keybag.wrap(
          SecretBytes.random(count: 32), under: .whenPasscodeSetThisDeviceOnly)
      } == .passcodeNotSet)
  }

  @Test func classBWrapsWhileLockedAndUnwrapsAfterTheUnlock() throws {
    let store = try MemoryStore(passcode: "1234")
    for keybag in [store.keybag, try store.open()] {
      keybag.lock()
      let wrapped = try keybag.wrap(
        SecretBytes(utf8: String(repeating: "k", count: 32)), under: .completeUnlessOpen)
      #expect(
        refusal { try keybag.unwrap(wrapped, under: .completeUnlessOpen, name: "key").count }
          == .locked)
      try keybag.unlock("1234")
      let key = try keybag.unwrap(wrapped, under: .completeUnlessOpen, name: "key")
      #expect(String(copying: key) == String(repeating: "k", count: 32))
      for index in wrapped.indices {
        var flipped = wrapped
        flipped[index] ^= 1
        #expect(
          refusal { try keybag.unwrap(flipped, under: .completeUnlessOpen, name: "key").count }
            == .damaged)
      }
      for count in 0..<wrapped.count {
        #expect(
          refusal {
            try keybag.unwrap(wrapped.prefix(count), under: .completeUnlessOpen, name: "key").count
          }
            == .damaged)
      }
    }
  }

  @Test func whoListensIsToldOfALock() throws {
    let store = try MemoryStore(passcode: "1234")
    let count = Counter()
    store.keybag.onLock { count.add() }
    store.keybag.lock()
    #expect(count.value == 1)
  }
}
