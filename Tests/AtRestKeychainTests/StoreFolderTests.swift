import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// The view of an attacker who has only the store's folder.
@Suite struct StoreFolderTests {
  @Test func nothingThatWasTypedIsInTheFiles() throws {
    let store = try DiskStore(passcode: "correct horse battery")
    let words = ["pLaInSecret", "pLaInAccount", "pLaInService", "pLaInLabel", "pLaInComment"]
    try store.keychain.put(
      password(words[1], service: words[2]), words[0],
      [.label: .text(words[3]), .comment: .text(words[4])])
    try store.keychain.createKey(.p256, tag: "pLaInTag")
    let files = try FileManager.default.contentsOfDirectory(
      at: store.storeFolder, includingPropertiesForKeys: nil)
    #expect(files.contains { $0.lastPathComponent == "keychain.db-wal" })
    let contents = try files.map { try Data(contentsOf: $0) }
    for word in words + ["pLaInTag", "com.example.app"] {
      #expect(!contents.contains { $0.range(of: Data(word.utf8)) != nil }, "\(word)")
    }
    // Control: the search finds data that is there.
    #expect(contents.contains { $0.range(of: Data("CREATE TABLE item".utf8)) != nil })
  }

  @Test func itDoesNotOpenWithAnotherDevice() throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    store.keychain.close()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = try FileDeviceKey.openOrCreate(in: folder)
    #expect(throws: AtRestError.self) {
      _ = try Keybag.open(at: store.storeFolder, device: other)
    }
    // Control: the store's own device opens it.
    _ = try Keybag.open(at: store.storeFolder, device: store.device)
  }
}
