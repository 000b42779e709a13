import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A process that has a store open notices which class keys another process restored into it.
@Suite struct FormerKeysElsewhereTests {
  private let former: MemoryStore
  private let store: MemoryStore
  /// The keybag of the other process.
  private let other: Keybag

  init() throws {
    former = try MemoryStore()
    store = try MemoryStore(passcode: "other")
    other = try store.open()
    try other.unlock("other")
  }

  private func expectOpen(
    _ wrapped: [KeyClass: Data], _ keybag: Keybag,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (keyClass, data) in wrapped where keyClass.isForFiles {
      #expect(
        refusal {
          try keybag.unwrap(data, under: keyClass, from: former.keybag.identity, name: "key").count
        } == nil, "\(keyClass)", sourceLocation: sourceLocation)
    }
  }

  /// The store of the files is known already, and the set of class keys is not.
  @Test func aLaterBackupOfTheSameStore() throws {
    let before = try former.keybag.wrapAll()
    try store.keybag.adopt(former.keybag.fileKeySets())
    expectOpen(before, other)
    try former.keybag.set("a passcode")
    let after = try former.keybag.wrapAll()
    try store.keybag.adopt(former.keybag.fileKeySets())
    expectOpen(before, other)
    expectOpen(after, other)
  }

  /// Control: a key that was wrapped by nobody.
  @Test func aDamagedKeyStaysDamaged() throws {
    try store.keybag.adopt(former.keybag.fileKeySets())
    #expect(
      refusal {
        try other.unwrap(
          Data(count: 40), under: .complete, from: former.keybag.identity, name: "key"
        ).count
      } == .damaged)
  }

  /// A backup has the class keys, even if the process that makes it opened the store before.
  @Test func theNextBackupHasThem() throws {
    let wrapped = try former.keybag.wrapAll()
    try store.keybag.adopt(former.keybag.fileKeySets())
    let third = try MemoryStore(passcode: "third")
    try third.keybag.adopt(other.fileKeySets())
    expectOpen(wrapped, third.keybag)
  }
}
