import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Adding, updating and moving items that exist and items that do not.
@Suite struct ExistenceTests {
  @Test func addingADuplicateIsRefusedAndChangesNothing() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "first", [.label: "A"])
    #expect(refusal { try keychain.put(password(), "second", [.label: "B"]) } == .duplicate)
    #expect(try keychain.text(password()) == "first")
    #expect(try keychain.item(for: password()).attributes.label == "A")
    #expect(try keychain.count() == 1)
  }

  @Test func updatingIntoADuplicateIsRefusedAndChangesNothing() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password("eva"), "hers")
    try keychain.put(password("adam"), "his")
    #expect(
      refusal { try keychain.update(password("eva"), ItemChange(attributes: [.account: "adam"])) }
        == .duplicate)
    #expect(refusal { try keychain.move(password("eva"), to: password("adam")) } == .duplicate)
    #expect(try keychain.text(password("eva")) == "hers")
    #expect(try keychain.text(password("adam")) == "his")
  }

  @Test func whatIsNotThereIsNotFoundByEveryCall() throws {
    let keychain = try SimulatedDevice().keychain()
    let other = try keychain.put(password("other"))
    try keychain.delete(other)
    #expect(refusal { try keychain.text(password()) } == .notFound)
    #expect(refusal { try keychain.item(for: password()).group } == .notFound)
    #expect(refusal { try keychain.change(password(), "") } == .notFound)
    #expect(refusal { try keychain.update(password(), ItemChange()) } == .notFound)
    #expect(refusal { try keychain.move(password(), to: password("b")) } == .notFound)
    #expect(refusal { try keychain.delete(password()) } == .notFound)
    #expect(
      refusal { try keychain.update(matching: KeychainQuery(password()), ItemChange()) }
        == .notFound)
    #expect(refusal { try keychain.text(other) } == .notFound)
    #expect(refusal { try keychain.item(for: other).group } == .notFound)
    #expect(refusal { try keychain.delete(other) } == .notFound)
  }

  @Test func aQueryThatMatchesNothingIsAnEmptyCollection() throws {
    let keychain = try SimulatedDevice().keychain()
    let items = try keychain.items(matching: KeychainQuery(.genericPassword))
    #expect(items.isEmpty && items.withheld.isEmpty)
    #expect(try keychain.delete(matching: KeychainQuery(.genericPassword)) == 0)
  }

  @Test func anUpdateOfAccountAndServiceMovesTheItem() throws {
    let keychain = try SimulatedDevice().keychain()
    let reference = try keychain.put(password("eva"), "s3cr3t", [.label: "Mail"])
    let before = try keychain.item(for: reference)
    try keychain.update(
      password("eva"), ItemChange(attributes: [.account: "adam", .service: "web"]))
    #expect(refusal { try keychain.text(password("eva")) } == .notFound)
    let moved = password("adam", service: "web")
    #expect(try keychain.text(moved) == "s3cr3t")
    #expect(try keychain.text(reference) == "s3cr3t")
    let after = try keychain.item(for: moved)
    #expect(after.reference == reference)
    #expect(after.attributes.label == "Mail")
    #expect(after.attributes.creationDate == before.attributes.creationDate)
    #expect(try keychain.count() == 1)
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword, [.account: "eva"])).isEmpty)
    #expect(
      try keychain.items(matching: KeychainQuery(.genericPassword, [.account: "adam"])).count == 1)
  }

  @Test func aMoveKeepsReferenceSecretAndAttributes() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain(
      as: ApplicationIdentity("app", keychainAccessGroups: ["one", "two"]))
    let reference = try keychain.put(password("eva", group: "one"), "s3cr3t", [.label: "Mail"])
    let target = password("adam", service: "web", group: "two", synchronizable: true)
    try keychain.move(password("eva", group: "one"), to: target)
    let item = try keychain.item(for: target)
    #expect(item.reference == reference)
    #expect(item.group == "two" && item.primaryKey.isSynchronizable)
    #expect(item.attributes.label == "Mail")
    #expect(try keychain.text(reference) == "s3cr3t")
    // The item's former key is free.
    try keychain.put(password("eva", group: "one"), "another")
    #expect(try keychain.text(target) == "s3cr3t")
  }

  @Test func anItemDoesNotMoveToAnotherClass() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password())
    #expect(
      refusal {
        try keychain.move(password(), to: .internetPassword(server: "s", account: "eva"))
      } == .invalidArgument)
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test func anItemMovedOntoItselfStays() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password())
    try keychain.move(password(), to: password())
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test func setAddsAndThenUpdates() throws {
    let keychain = try SimulatedDevice().keychain()
    let first = try keychain.set(
      password(), secret: SecretBytes(utf8: "one"), attributes: [.label: "L"],
      protection: .accessible(.afterFirstUnlock))
    let second = try keychain.set(
      password(), secret: SecretBytes(utf8: "two"), attributes: [.comment: "C"])
    #expect(first == second)
    let item = try keychain.item(for: password())
    #expect(item.attributes.label == "L" && item.attributes.comment == "C")
    #expect(item.protection.accessibility == .afterFirstUnlock)
    #expect(try keychain.text(password()) == "two")
    #expect(try keychain.count() == 1)
  }

  @Test func anItemWithoutAValueHasNone() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.addWithoutSecret(password(), attributes: [.label: "L"])
    let items = try keychain.items(matching: KeychainQuery(password()), secrets: true)
    #expect(items.count == 1)
    #expect(items.first?.hasSecret == false)
    #expect(items.first?.text == nil)
    #expect(items.first?.attributes.label == "L")
    let error = #expect(throws: AtRestError.self) { try keychain.text(password()) }
    #expect(error?.code == .notFound)
    #expect(error?.message.hasSuffix(" has no value.") == true)
    try keychain.update(password(), ItemChange(attributes: [.label: "M"]))
    #expect(try keychain.item(for: password()).hasSecret == false)
    // An empty value is a value.
    try keychain.change(password(), "")
    #expect(try keychain.item(for: password()).hasSecret)
    #expect(try keychain.text(password()) == "")
  }

  @Test func aQueryStopsAtItsLimit() throws {
    let keychain = try SimulatedDevice().keychain()
    for number in 0..<5 { try keychain.put(password("\(number)")) }
    func count(_ limit: Int?) throws -> Int {
      try keychain.items(matching: KeychainQuery(.genericPassword, limit: limit)).count
    }
    #expect(try count(nil) == 5)
    #expect(try count(1) == 1)
    #expect(try count(3) == 3)
    #expect(try count(9) == 5)
    // A limit of zero or less neither returns all items nor searches endlessly.
    for limit in [0, -1] { #expect(refusal { try count(limit) } == .invalidArgument) }
    #expect(
      refusal { try keychain.delete(matching: KeychainQuery(.genericPassword, limit: 0)) }
        == .invalidArgument)
    #expect(try count(nil) == 5)
  }
}
