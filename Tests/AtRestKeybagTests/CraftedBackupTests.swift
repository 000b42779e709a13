import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A backup that somebody else made, and whose owner restores it, takes no file away.
@Suite struct CraftedBackupTests {
  private let former: MemoryStore
  private let store: MemoryStore

  init() throws {
    former = try MemoryStore(passcode: "former")
    store = try MemoryStore(passcode: "other")
  }

  private func opens(
    _ wrapped: Data, _ keyClass: KeyClass, from origin: StoreIdentity
  ) -> AtRestError.Code? {
    refusal {
      try store.keybag.unwrap(wrapped, under: keyClass, from: origin, name: "key").count
    }
  }

  /// Without the key of class D, no file of the store would open: neither its own nor the others.
  @Test(
    arguments: [
      [], [.complete], [.complete, .completeUnlessOpen, .completeUntilFirstAuthentication],
      [.complete, .complete, .completeUntilFirstAuthentication, .noProtection],
    ] as [[KeyClass]])
  func aSetThatLacksAClassIsRefused(_ classes: [KeyClass]) throws {
    let own = try store.keybag.wrapAll().filter { $0.key.isForFiles }
    var crafted = CraftedKeys(store: store.keybag.identity)
    crafted.classes = classes
    #expect(
      refusal { try store.keybag.adopt(crafted.sets(for: store.device)) } == .damaged)
    for (keyClass, wrapped) in own {
      #expect(opens(wrapped, keyClass, from: store.keybag.identity) == nil, "\(keyClass)")
    }
  }

  /// Control: a complete set is taken. Whoever chose its keys can write files that open, and the
  /// store's own files open too.
  @Test func aWholeSetIsTaken() throws {
    let own = try store.keybag.wrapAll().filter { $0.key.isForFiles }
    let crafted = CraftedKeys(store: store.keybag.identity)
    try store.keybag.adopt(crafted.sets(for: store.device))
    for keyClass in [KeyClass.complete, .completeUntilFirstAuthentication, .noProtection] {
      #expect(try opens(crafted.wrapped(), keyClass, from: store.keybag.identity) == nil)
    }
    for (keyClass, wrapped) in own {
      #expect(opens(wrapped, keyClass, from: store.keybag.identity) == nil, "\(keyClass)")
    }
  }

  /// The identifiers of class keys are readable in each backup.
  @Test func keysWithTheSameIdentifiersDoNotTakeThePlaceOfOthers() throws {
    let wrapped = try former.keybag.wrapAll().filter { $0.key.isForFiles }
    var crafted = CraftedKeys(store: former.keybag.identity)
    crafted.ids = try crafted.classes.map { try #require(former.keybag.keyID(of: $0)) }
    try store.keybag.adopt(crafted.sets(for: store.device))
    try store.keybag.adopt(former.keybag.fileKeySets())
    for (keyClass, data) in wrapped {
      #expect(opens(data, keyClass, from: former.keybag.identity) == nil, "\(keyClass)")
    }
  }
}
