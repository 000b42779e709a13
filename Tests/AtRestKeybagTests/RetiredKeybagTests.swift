import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A keybag from before a change of the passcode opens nothing, even with the device folder and its
/// former passcode.
@Suite struct RetiredKeybagTests {
  private static let steps: [(name: String, make: @Sendable (Keybag) throws -> Void)] = [
    ("none", { _ in }),
    ("first", { try $0.set("first one") }),
    ("changed", { try $0.change("first one", "second one") }),
    ("removed", { try $0.remove("second one") }),
    ("set again", { try $0.set("third one") }),
    ("wiped", { try $0.wipe() }),
  ]

  @Test func noKeybagKeptFromAnEarlierStepOpens() throws {
    let store = try MemoryStore()
    var kept: [(name: String, keybag: Data)] = []
    for step in Self.steps {
      try step.make(store.keybag)
      let present = try store.storage.read("keybag")
      for old in kept {
        try store.storage.replace("keybag", with: old.keybag)
        let code = refusal { try store.open().lockState }
        #expect(
          code == (step.name == "wiped" ? .wiped : .rolledBack), "\(old.name) at \(step.name)")
        // It does not open through a keybag object that stayed open either.
        #expect(refusal { try store.keybag.refresh() } == code)
      }
      guard let present else { break }
      try store.storage.replace("keybag", with: present)
      // Control: the current one opens.
      let keybag = try store.open()
      if keybag.hasPasscode {
        #expect(
          ["first one", "second one", "third one"].contains {
            try? keybag.unlock($0)
            return keybag.lockState == .unlocked
          })
      }
      #expect(keybag.lockState == .unlocked)
      kept.append((step.name, present))
    }
    #expect(kept.count == 5)
  }

  /// An attacker with the device's key, its present record and an older keybag can write any
  /// record, but still lacks the share.
  @Test func aRecordMadeForAnOlderKeybagDoesNotOpenIt() throws {
    let store = try MemoryStore()
    let old = try #require(try store.storage.read("keybag"))
    let name = "\(store.keybag.identity).keybag"
    let formerRecord = try #require(try store.device.recall(name))
    try store.keybag.set("first one")
    try store.storage.replace("keybag", with: old)
    try store.device.remember(
      DeviceRecord(generation: 1, share: SecretBox(.random(count: 32)))
        .encoded(store.keybag.identity, store.device), as: name, durably: true)
    #expect(refusal { try store.open().lockState } == .damaged)
    // Control: with the former record, as if both folders were restored, it opens.
    try store.device.remember(formerRecord, as: name, durably: true)
    #expect(try store.open().lockState == .unlocked)
  }

  @Test func bothSharesAreNewWithEachChange() throws {
    let store = try MemoryStore()
    let name = "\(store.keybag.identity).keybag"
    var seen: Set<Data> = []
    for step in Self.steps.dropLast() {
      try step.make(store.keybag)
      let keybag = try #require(try store.storage.read("keybag"))
      let record = try #require(try store.device.recall(name))
      seen.insert(keybag[42..<74])
      seen.insert(record[9..<41])
    }
    #expect(seen.count == 10)
  }
}
