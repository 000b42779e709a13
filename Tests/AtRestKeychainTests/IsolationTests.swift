import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Simulated devices reach neither each other nor a real store.
@Suite struct IsolationTests {
  @Test func devicesDoNotSeeOneAnother() throws {
    let one = try SimulatedDevice().keychain()
    let two = try SimulatedDevice().keychain()
    try one.put(password(), "one")
    #expect(refusal { try two.text(password()) } == .notFound)
    try two.put(password(), "two")
    #expect(try two.delete(matching: KeychainQuery(.genericPassword)) == 1)
    #expect(try one.text(password()) == "one")
  }

  @Test func identitiesOnOneDeviceDoNotSeeOneAnother() throws {
    let device = try SimulatedDevice()
    let one = try device.keychain(as: ApplicationIdentity("one"))
    let two = try device.keychain(as: ApplicationIdentity("two"))
    try one.put(password(), "one")
    try two.put(password(), "two")
    #expect(try one.text(password()) == "one")
    #expect(try two.delete(matching: KeychainQuery(.genericPassword, synchronizable: .any)) == 1)
    #expect(try one.text(password()) == "one")
  }

  @Test func theDatabaseShowsNoNameAndNoSecret() throws {
    let store = try DiskStore()
    let words = ["accountname", "servicename", "labelname", "commenttext", "secretvalue"]
    try store.keychain.put(
      password(words[0], service: words[1]), words[4],
      [.label: .text(words[2]), .comment: .text(words[3])])
    store.keychain.close()
    let files = try FileManager.default.contentsOfDirectory(
      at: store.storeFolder, includingPropertiesForKeys: nil)
    #expect(files.contains { $0.lastPathComponent == "keychain.db" })
    for file in files {
      let bytes = try Data(contentsOf: file)
      for word in words + ["com.example.app"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(file.lastPathComponent)")
      }
    }
  }

  @Test func aClosedKeychainSaysSo() throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    store.keychain.close()
    #expect(refusal { try store.keychain.text(password()) } == .locked)
    #expect(refusal { try store.keychain.put(password("b")) } == .locked)
  }
}
