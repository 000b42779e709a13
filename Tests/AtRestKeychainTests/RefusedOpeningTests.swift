import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A database that cannot be opened is refused each time and in every thread, and nothing else is
/// affected.
@Suite struct RefusedOpeningTests {
  @Test func noiseInPlaceOfTheDatabaseIsDamageToEveryThread() throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    store.keychain.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: store.databasePath))
    let noise = RandomBytes.data(count: 8192)
    try noise.write(to: URL(fileURLWithPath: store.databasePath))
    let keybag = store.keybag
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 {
        #expect(refusal { try Self.open(keybag) } == .damaged)
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.databasePath)) == noise)
    // Control: the file itself can be opened.
    try whole.write(to: URL(fileURLWithPath: store.databasePath))
    let keychain = try Self.open(keybag)
    #expect(try keychain.text(password()) == "s3cr3t")
    keychain.close()
  }

  private static func open(_ keybag: Keybag) throws -> Keychain {
    try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
  }
}
