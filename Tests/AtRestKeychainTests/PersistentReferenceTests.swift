import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// A reference finds its item after any of its attributes changed.
@Suite struct PersistentReferenceTests {
  @Test func itSurvivesUpdatesMovesAndRestarts() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let reference = try keychain.put(password())
    try keychain.change(password(), "new")
    #expect(try keychain.text(reference) == "new")
    try keychain.update(password(), ItemChange(protection: .accessible(.always)))
    try keychain.move(password(), to: password("adam", service: "web"))
    #expect(try keychain.item(for: reference).attributes.account == "adam")
    try device.restart()
    try device.unlock()
    let again = try PersistentReference(data: reference.data)
    #expect(again == reference)
    #expect(try device.keychain().text(again) == "new")
  }

  @Test func aReferenceAloneGivesSecretAttributesAndKey() throws {
    let keychain = try SimulatedDevice().keychain()
    let reference = try keychain.put(password(), "s3cr3t", [.label: "L"])
    #expect(try keychain.text(reference) == "s3cr3t")
    let item = try keychain.item(for: reference)
    #expect(item.attributes.label == "L" && item.itemClass == .genericPassword)
    #expect(item.primaryKey == password(group: "com.example.app"))
  }

  @Test func aReferenceIsNeverGivenToAnotherItem() throws {
    let keychain = try SimulatedDevice().keychain()
    var seen = Set<PersistentReference>()
    for _ in 0..<20 {
      #expect(seen.insert(try keychain.put(password())).inserted)
      try keychain.delete(password())
    }
    for reference in seen { #expect(refusal { try keychain.text(reference) } == .notFound) }
  }

  @Test func aReferenceOfAnotherStoreFindsNothing() throws {
    let reference = try SimulatedDevice().keychain().put(password())
    let other = try SimulatedDevice().keychain()
    try other.put(password())
    #expect(refusal { try other.text(reference) } == .notFound)
    #expect(refusal { try other.delete(reference) } == .notFound)
  }

  @Test func aReferenceWithAForgedClassFindsNothing() throws {
    let keychain = try SimulatedDevice().keychain()
    var bytes = try keychain.put(password()).data
    bytes[bytes.startIndex] = 2
    let forged = try PersistentReference(data: bytes)
    #expect(refusal { try keychain.text(forged) } == .notFound)
  }

  @Test(arguments: [Data(), Data(count: 24), Data(count: 25), Data(repeating: 9, count: 25)])
  func bytesThatAreNoReferenceAreRefused(_ data: Data) {
    #expect(refusal { try PersistentReference(data: data) } == .invalidArgument)
  }
}
