@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Attributes with names of the application's own.
@Suite struct CustomAttributeTests {
  private static let composed = ItemAttribute.custom("caf\u{e9}")
  private static let decomposed = ItemAttribute.custom("cafe\u{301}")

  private func query(_ attributes: ItemAttributes) -> KeychainQuery {
    KeychainQuery(.genericPassword, attributes)
  }

  private func accounts(
    _ keychain: Keychain, _ attributes: ItemAttributes
  ) throws -> [String] {
    try keychain.items(matching: query(attributes)).compactMap(\.attributes.account).sorted()
  }

  @Test func itemsAreFoundByThem() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password("a"), "1", [.custom("user"): "eva", .custom("acct"): "x"])
    try keychain.put(password("b"), "2", [.custom("user"): "eva", .custom(""): ""])
    try keychain.put(password("c"), "3", [.custom("user"): "mia"])
    #expect(try accounts(keychain, [.custom("user"): "eva"]) == ["a", "b"])
    #expect(try accounts(keychain, [.custom("user"): "eva", .custom("acct"): "x"]) == ["a"])
    #expect(try accounts(keychain, [.custom(""): ""]) == ["b"])
    #expect(try accounts(keychain, [.custom("User"): "eva"]).isEmpty)
    // A name of four letters is not the attribute of Apple's with this code.
    #expect(try accounts(keychain, [.account: "x"]).isEmpty)
    let found = try keychain.item(for: password("a"))
    #expect(found.attributes[.custom("user")] == "eva")
    #expect(found.attributes.compactMap(\.key.customName).sorted() == ["acct", "user"])
  }

  @Test func namesAreComparedByTheirBytes() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password("a"), "1", [Self.composed: "x"])
    try keychain.put(password("b"), "2", [Self.decomposed: "x"])
    #expect(try accounts(keychain, [Self.composed: "x"]) == ["a"])
    #expect(try accounts(keychain, [Self.decomposed: "x"]) == ["b"])
    #expect(([Self.composed: "x", Self.decomposed: "y"] as ItemAttributes).count == 2)
  }

  /// Where the name ends and the value begins is part of what is hashed.
  @Test func aNameIsNoPartOfAValue() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.put(password("a"), "1", [.custom("ab"): "c"])
    #expect(try keychain.matches(of: query([.custom("ab"): "c"])).count == 1)
    device.lock()
    #expect(try keychain.matches(of: query([.custom("a"): "bc"])).isEmpty)
    #expect(try keychain.matches(of: query([.custom("ab"): "c"])).count == 1)
  }

  @Test func lockedItemsAreFoundAndNamedAsLocked() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let first = try keychain.put(password("a"), "1", [.custom("user"): "eva"])
    let second = try keychain.put(
      password("b"), "2", [.custom("user"): "eva"], .accessible(.always))
    try keychain.put(password("c"), "3", [.custom("user"): "mia"])
    let wanted = query([.custom("user"): "eva"])
    #expect(try keychain.matches(of: wanted).map(\.isReadable) == [true, true])
    device.lock()
    let matches = try keychain.matches(of: wanted)
    #expect(matches.map(\.reference) == [first, second])
    #expect(matches.map(\.isReadable) == [false, true])
    #expect(try keychain.matches(of: query([.custom("user"): "leo"])).isEmpty)
    // Control: a query for the items themselves withholds nothing that does not match.
    #expect(refusal { try keychain.items(matching: query([.custom("user"): "mia"])) } == .locked)
    #expect(try keychain.items(matching: query([.custom("user"): "leo"])).isEmpty)
  }

  @Test func theyAreChangedAndRemoved() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password("a"), "1", [.custom("user"): "eva", .custom("host"): "x"])
    try keychain.update(
      password("a"),
      ItemChange(attributes: [.custom("user"): "mia"], removing: [.custom("host")]))
    #expect(try accounts(keychain, [.custom("user"): "eva"]).isEmpty)
    #expect(try accounts(keychain, [.custom("host"): "x"]).isEmpty)
    #expect(try accounts(keychain, [.custom("user"): "mia"]) == ["a"])
  }

  @Test(arguments: [ItemClass.internetPassword, .key, .certificate])
  func otherClassesHaveNone(itemClass: ItemClass) throws {
    let keychain = try SimulatedDevice().keychain()
    let custom: ItemAttributes = [.custom("user"): "eva"]
    #expect(
      refusal { try keychain.put(PrimaryKey(itemClass, [:]), "", custom) } == .noSuchAttribute)
    #expect(
      refusal { try keychain.items(matching: KeychainQuery(itemClass, custom)) } == .noSuchAttribute
    )
    #expect(refusal { try PrimaryKey(.genericPassword, custom) } == .invalidArgument)
  }

  @Test func theyAreCoded() throws {
    let attributes: ItemAttributes = [.custom("user"): "eva", .label: "Mail"]
    let coded = try JSONDecoder().decode(
      ItemAttributes.self, from: JSONEncoder().encode(attributes))
    #expect(coded == attributes)
  }

  @Test func aBackupHasThem() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-\(UUID().uuidString).backup")
    defer { try? FileManager.default.removeItem(at: file) }
    let phrase = SecretBytes(utf8: "four words of my own")
    let key = PrimaryKey.genericPassword(service: "s", account: "a", group: "g")
    let keychain = try SimulatedDevice(passcode: "1234").keychain(as: .owner())
    try keychain.put(key, "1", [.custom("user"): "eva", .custom("é"): ""])
    _ = try keychain.backup(to: file, passphrase: phrase, kdf: .forTesting)
    let restored = try SimulatedDevice().keychain(as: .owner())
    _ = try restored.restore(from: file, passphrase: phrase)
    let found = try restored.items(matching: query([.custom("user"): "eva"]))
    #expect(found.count == 1 && found.first?.attributes[.custom("é")] == "")
  }
}
