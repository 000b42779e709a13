import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A caller that requires a certain store never gets another one.
@Suite struct IdentityTests {
  @Test func anotherStoreOfTheSameDeviceIsRefused() throws {
    let store = try MemoryStore(passcode: "1234")
    let other = MemoryStorage()
    let second = try Keybag.create(
      in: other, device: store.device, passcode: nil, options: .forTesting())
    let expected = store.keybag.identity
    #expect(try store.open(expecting: expected).identity == expected)
    // The two stores are exchanged.
    try store.storage.replace("keybag", with: #require(try other.read("keybag")))
    let error = try #require(thrown { try store.open(expecting: expected).lockState })
    #expect(error.code == .otherStore && error.refusal == .damaged)
    #expect(error.message.contains(expected.text))
    #expect(error.message.contains(second.identity.text))
    // Control: a caller without an expectation opens the store that is there.
    #expect(try store.open().identity == second.identity)
  }

  @Test func itIsWrittenAsDigitsAndReadBack() throws {
    let identity = try MemoryStore().keybag.identity
    #expect(identity.text.count == 32)
    #expect(StoreIdentity(text: identity.text) == identity)
    #expect(StoreIdentity(text: identity.text.uppercased()) == identity)
    for text in ["", "0", identity.text + "0", String(identity.text.dropLast()) + "g", "é"] {
      #expect(StoreIdentity(text: text) == nil)
    }
  }
}
