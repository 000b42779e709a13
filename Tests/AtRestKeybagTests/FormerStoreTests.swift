import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A store into which the backup of another one was restored opens the files of that store.
@Suite struct FormerStoreTests {
  private let former: MemoryStore
  private let wrapped: [KeyClass: Data]

  init() throws {
    former = try MemoryStore(passcode: "former")
    wrapped = try former.keybag.wrapAll().filter { $0.key.isForFiles }
  }

  private func opens(_ keybag: Keybag, _ keyClass: KeyClass) -> AtRestError.Code? {
    refusal {
      let key = try keybag.unwrap(
        #require(wrapped[keyClass]), under: keyClass, from: former.keybag.identity, name: "key")
      #expect(Data(copying: key) == Data(repeating: 7, count: 32))
    }
  }

  private func expectOpen(
    _ keybag: Keybag, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(wrapped.count == 4, sourceLocation: sourceLocation)
    for keyClass in wrapped.keys {
      #expect(opens(keybag, keyClass) == nil, "\(keyClass)", sourceLocation: sourceLocation)
    }
  }

  @Test func itsFilesOpenInTheStoreThatHasItsKeys() throws {
    let store = try MemoryStore(passcode: "other")
    for keyClass in wrapped.keys { #expect(opens(store.keybag, keyClass) == .notPermitted) }
    try store.keybag.adopt(former.keybag.fileKeySets())
    expectOpen(store.keybag)
    let again = try store.open()
    try again.unlock("other")
    expectOpen(again)
  }

  @Test func aStoreWithoutItsKeysRefusesItsFiles() throws {
    let stranger = try MemoryStore(passcode: "stranger")
    let store = try MemoryStore(passcode: "other")
    try store.keybag.adopt(stranger.keybag.fileKeySets())
    for keyClass in wrapped.keys { #expect(opens(store.keybag, keyClass) == .notPermitted) }
  }

  @Test func theClassesKeepTheirMeaning() throws {
    let store = try MemoryStore(passcode: "other")
    try store.keybag.adopt(former.keybag.fileKeySets())
    store.keybag.lock()
    #expect(opens(store.keybag, .complete) == .locked)
    #expect(opens(store.keybag, .completeUnlessOpen) == .locked)
    #expect(opens(store.keybag, .completeUntilFirstAuthentication) == nil)
    #expect(opens(store.keybag, .noProtection) == nil)
    let again = try store.open()
    #expect(opens(again, .completeUntilFirstAuthentication) == .locked)
    #expect(opens(again, .noProtection) == nil)
  }

  @Test func nothingIsWrappedUnderItsKeys() throws {
    let store = try MemoryStore(passcode: "other")
    try store.keybag.adopt(former.keybag.fileKeySets())
    for (keyClass, data) in try store.keybag.wrapAll() where keyClass.isForFiles {
      #expect(store.keybag.opens(data, keyClass))
      #expect(
        refusal {
          try store.keybag.unwrap(data, under: keyClass, from: former.keybag.identity, name: "key")
            .count
        } == .damaged)
      #expect(!former.keybag.opens(data, keyClass))
    }
  }

  @Test func theyOpenAfterEachChangeOfThePasscode() throws {
    let store = try MemoryStore()
    try store.keybag.adopt(former.keybag.fileKeySets())
    try store.keybag.set("first one")
    expectOpen(store.keybag)
    try store.keybag.change("first one", "second one")
    expectOpen(store.keybag)
    try store.keybag.remove("second one")
    expectOpen(store.keybag)
    expectOpen(try store.open())
  }

  /// The backup of the third store has the keys of the first.
  @Test func theyMoveOnWithTheNextBackup() throws {
    let second = try MemoryStore(passcode: "second")
    try second.keybag.adopt(former.keybag.fileKeySets())
    let third = try MemoryStore(passcode: "third")
    try third.keybag.adopt(second.keybag.fileKeySets())
    expectOpen(third.keybag)
    let own = try second.keybag.wrap(SecretBytes.random(count: 32), under: .complete)
    #expect(
      refusal {
        try third.keybag.unwrap(own, under: .complete, from: second.keybag.identity, name: "k")
          .count
      } == nil)
  }

  @Test func theKeysOfEachFirstPasscodeMove() throws {
    let bare = try MemoryStore()
    let before = try bare.keybag.wrapAll()
    try bare.keybag.set("a passcode")
    let after = try bare.keybag.wrapAll()
    let store = try MemoryStore(passcode: "other")
    try store.keybag.adopt(bare.keybag.fileKeySets())
    for wrapped in [before, after] {
      for (keyClass, data) in wrapped where keyClass.isForFiles {
        #expect(
          refusal {
            try store.keybag.unwrap(data, under: keyClass, from: bare.keybag.identity, name: "k")
              .count
          } == nil, "\(keyClass)")
      }
    }
  }

  @Test func theSameBackupTwiceChangesNothing() throws {
    let store = try MemoryStore(passcode: "other")
    try store.keybag.adopt(former.keybag.fileKeySets())
    let keybag = try store.storage.read("keybag")
    try store.keybag.adopt(former.keybag.fileKeySets())
    try store.keybag.adopt(store.keybag.fileKeySets())
    #expect(try store.storage.read("keybag") == keybag)
    expectOpen(store.keybag)
  }

  @Test func aLockedStoreTakesNoKeysAndGivesNone() throws {
    let store = try MemoryStore(passcode: "other")
    let sets = try former.keybag.fileKeySets()
    store.keybag.lock()
    former.keybag.lock()
    #expect(refusal { try store.keybag.adopt(sets) } == .locked)
    #expect(refusal { try former.keybag.fileKeySets() } == .locked)
  }

  @Test func anotherObjectSeesThemAtOnce() throws {
    let store = try MemoryStore(passcode: "other")
    let other = try store.open()
    try other.unlock("other")
    try store.keybag.adopt(former.keybag.fileKeySets())
    expectOpen(other)
    #expect(other.lockState == .unlocked)
  }

  /// If the process ends at the write, the store is as it was. A copy from before the restore opens too,
  /// without the keys.
  @Test(arguments: [false, true]) func theyAreTakenWholeOrNotAtAll(_ isWritten: Bool) throws {
    let store = try MemoryStore(passcode: "other")
    let own = try store.keybag.wrapAll()
    let before = try #require(try store.storage.read("keybag"))
    // An unlock counts the attempt and forgets it, which are two writes.
    let limit = WriteLimit(isWritten ? 3 : 2)
    let keybag = try Keybag.open(
      in: UnsteadyStorage(store.storage, limit), device: UnsteadyDevice(store.device, limit))
    try keybag.unlock("other")
    do { try keybag.adopt(former.keybag.fileKeySets()) } catch is WriteLimit.Ended {}
    #expect(try (store.storage.read("keybag") != before) == isWritten)
    let next = try store.open()
    try next.unlock("other")
    for keyClass in wrapped.keys {
      #expect(opens(next, keyClass) == (isWritten ? nil : .notPermitted))
    }
    for (keyClass, data) in own { #expect(next.opens(data, keyClass)) }
    try store.storage.replace("keybag", with: before)
    let older = try store.open()
    try older.unlock("other")
    for (keyClass, data) in own { #expect(older.opens(data, keyClass)) }
    #expect(opens(older, .noProtection) == .notPermitted)
    try older.adopt(former.keybag.fileKeySets())
    expectOpen(older)
  }
}
