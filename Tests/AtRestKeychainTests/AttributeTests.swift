import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Names, types and comparison of attributes.
@Suite struct AttributeTests {
  private let composed = "caf\u{e9}"
  private let decomposed = "cafe\u{301}"

  @Test func namesThatAreOneTextInTwoSpellingsAreCoded() throws {
    let attributes: ItemAttributes = [
      ItemAttribute(rawValue: "\u{340}ab"): "a", ItemAttribute(rawValue: "\u{300}ab"): "b",
      .label: "c",
    ]
    #expect(attributes.count == 3)
    #expect(try Self.coded(attributes).label == "c")
    #expect(try Self.coded([.account: "eva", .port: 443]) == [.account: "eva", .port: 443])
  }

  private static func coded(_ attributes: ItemAttributes) throws -> ItemAttributes {
    try JSONDecoder().decode(ItemAttributes.self, from: JSONEncoder().encode(attributes))
  }

  @Test(arguments: ["zzzz", "r_Da", "abc", "", "svcee"])
  func anUnknownAttributeIsRefused(_ code: String) throws {
    let keychain = try SimulatedDevice().keychain()
    let unknown = ItemAttribute(rawValue: code)
    try keychain.put(password())
    #expect(refusal { try PrimaryKey(.genericPassword, [unknown: "x"]) } == .noSuchAttribute)
    #expect(refusal { try keychain.put(password("b"), "", [unknown: "x"]) } == .noSuchAttribute)
    #expect(
      refusal { try keychain.update(password(), ItemChange(attributes: [unknown: "x"])) }
        == .noSuchAttribute)
    let query = KeychainQuery(.genericPassword, [unknown: "x"])
    #expect(refusal { try keychain.items(matching: query) } == .noSuchAttribute)
    #expect(refusal { try keychain.update(matching: query, ItemChange()) } == .noSuchAttribute)
    #expect(refusal { try keychain.delete(matching: query) } == .noSuchAttribute)
    #expect(try keychain.count() == 1)
  }

  @Test(arguments: [
    (ItemClass.genericPassword, ItemAttribute.server), (.internetPassword, .service),
    (.key, .account), (.certificate, .comment), (.internetPassword, .generic),
  ])
  func anAttributeOfAnotherClassIsRefused(_ itemClass: ItemClass, _ attribute: ItemAttribute) throws
  {
    let keychain = try SimulatedDevice().keychain()
    let key = try PrimaryKey(itemClass, [:])
    try keychain.put(key)
    #expect(
      refusal { try keychain.update(key, ItemChange(attributes: [attribute: "x"])) }
        == .noSuchAttribute)
    #expect(
      refusal { try keychain.items(matching: KeychainQuery(itemClass, [attribute: "x"])) }
        == .noSuchAttribute)
    try keychain.delete(key)
    #expect(refusal { try keychain.put(key, "", [attribute: "x"]) } == .noSuchAttribute)
    #expect(try keychain.count() == 0)
  }

  @Test(arguments: [
    (ItemAttribute.port, ItemAttributeValue.text("eighty")), (.port, .data(Data([1]))),
    (.port, .date(.distantPast)), (.port, "80 "), (.server, .date(.distantPast)),
    (.creationDate, "today"), (.creationDate, 5),
  ])
  func aValueOfTheWrongTypeIsRefused(_ attribute: ItemAttribute, _ value: ItemAttributeValue) throws
  {
    let keychain = try SimulatedDevice().keychain()
    let key = PrimaryKey.internetPassword(server: "s", account: "a")
    try keychain.put(key)
    #expect(
      refusal { try keychain.items(matching: KeychainQuery(.internetPassword, [attribute: value])) }
        == .invalidArgument)
    #expect(
      refusal { try keychain.update(key, ItemChange(attributes: [attribute: value])) }
        == .invalidArgument)
  }

  @Test func digitsGivenForANumberBecomeOne() throws {
    let keychain = try SimulatedDevice().keychain()
    let key = try PrimaryKey(.internetPassword, [.server: "s", .port: "8080"])
    try keychain.put(key)
    #expect(try keychain.item(for: key).attributes[.port] == .number(8080))
    let same = try PrimaryKey(.internetPassword, [.server: "s", .port: 8080])
    #expect(try keychain.text(same) == "s3cr3t")
    #expect(
      try keychain.items(matching: KeychainQuery(.internetPassword, [.port: "8080"])).count == 1)
    #expect(
      try keychain.items(matching: KeychainQuery(.internetPassword, [.port: 8080])).count == 1)
  }

  @Test func anEmptyPortIsZero() throws {
    let keychain = try SimulatedDevice().keychain()
    let key = try PrimaryKey(.internetPassword, [.server: "s", .port: ""])
    try keychain.put(key)
    #expect(try keychain.item(for: key).attributes[.port] == 0)
    #expect(try keychain.text(.internetPassword(server: "s", account: "")) == "s3cr3t")
  }

  @Test func textAndItsBytesAreOneItem() throws {
    let keychain = try SimulatedDevice().keychain()
    let asText = try PrimaryKey(.genericPassword, [.account: .text(composed)])
    let asData = try PrimaryKey(.genericPassword, [.account: .data(Data(composed.utf8))])
    try keychain.put(asText)
    #expect(refusal { try keychain.put(asData) } == .duplicate)
    #expect(try keychain.text(asData) == "s3cr3t")
    let query = KeychainQuery(.genericPassword, asData.attributes)
    #expect(try keychain.items(matching: query).count == 1)
  }

  @Test func composedAndDecomposedTextAreTwoItems() throws {
    let keychain = try SimulatedDevice().keychain()
    // Swift's own strings regard them as equal.
    #expect(composed == decomposed)
    try keychain.put(password(composed), "composed")
    try keychain.put(password(decomposed), "decomposed")
    #expect(try keychain.text(password(composed)) == "composed")
    #expect(try keychain.text(password(decomposed)) == "decomposed")
    let query = KeychainQuery(.genericPassword, [.account: .text(decomposed)])
    let found = try keychain.items(matching: query, secrets: true)
    #expect(found.map(\.text) == ["decomposed"])
    #expect(password(composed) != password(decomposed))
  }

  @Test func textComesBackAsItWasGiven() throws {
    let keychain = try SimulatedDevice().keychain()
    for text in [composed, decomposed] {
      try keychain.put(password(text), "", [.label: .text(text)])
      let item = try keychain.item(for: password(text))
      #expect(item.attributes.account.map { Array($0.utf8) } == Array(text.utf8))
      #expect(item.attributes.label.map { Array($0.utf8) } == Array(text.utf8))
    }
    let bytes = Data([0xff, 0xfe])
    let key = try PrimaryKey(.genericPassword, [.account: .data(bytes)])
    try keychain.put(key)
    guard case .data(bytes)? = try keychain.item(for: key).attributes[.account] else {
      Issue.record("Data came back as something else.")
      return
    }
  }

  @Test func aQueryOnAnUnindexedAttributeComparesByBytesToo() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password("a"), "", [.comment: .text(composed)])
    try keychain.put(password("b"), "", [.comment: .text(decomposed)])
    let query = KeychainQuery(.genericPassword, [.comment: .data(Data(composed.utf8))])
    #expect(try keychain.items(matching: query).map(\.attributes.account) == ["a"])
  }

  @Test func anAttributeOfTheKeyThatIsMissingIsFoundByItsDefault() throws {
    let keychain = try SimulatedDevice().keychain()
    let key = PrimaryKey.internetPassword(server: "s", account: "a")
    try keychain.put(key)
    #expect(try keychain.item(for: key).attributes[.securityDomain] == nil)
    for (attribute, value): (ItemAttribute, ItemAttributeValue) in [
      (.securityDomain, ""), (.path, ""), (.port, 0), (.networkProtocol, 0),
      (.authenticationType, 0),
    ] {
      let query = KeychainQuery(.internetPassword, [.server: "s", attribute: value])
      #expect(try keychain.items(matching: query).count == 1)
    }
    let other = KeychainQuery(.internetPassword, [.server: "s", .port: 1])
    #expect(try keychain.items(matching: other).isEmpty)
  }

  @Test func datesGivenOnAddAreOverwritten() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    let past = Date(timeIntervalSince1970: 1000)
    try keychain.put(
      password(), "", [.creationDate: .date(past), .modificationDate: .date(past)])
    let item = try keychain.item(for: password())
    #expect(try #require(item.attributes.creationDate) > past)
    #expect(item.attributes.creationDate == item.attributes.modificationDate)
  }

  @Test func anUpdateSetsTheModificationDateAlone() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    try keychain.put(password())
    let before = try keychain.item(for: password()).attributes
    device.advanceClock(by: 3600)
    try keychain.change(password(), "new")
    let after = try keychain.item(for: password()).attributes
    #expect(after.creationDate == before.creationDate)
    let created = try #require(before.modificationDate)
    let modified = try #require(after.modificationDate)
    #expect(modified.timeIntervalSince(created) > 3590)
  }

  @Test(arguments: [
    Double.infinity, -.infinity, .nan, 1e300, -1e300, Double(Int64.max), .leastNonzeroMagnitude,
  ])
  func aBadDateNeverCrashes(_ interval: Double) throws {
    let keychain = try SimulatedDevice().keychain()
    let bad = ItemAttributeValue.date(Date(timeIntervalSince1970: interval))
    let key = try PrimaryKey(.key, [.startDate: bad])
    try keychain.put(key)
    #expect(try keychain.text(key) == "s3cr3t")
    #expect(refusal { try keychain.put(key) } == .duplicate)
    #expect(!bad.description.isEmpty)
    guard case .date(let date)? = try keychain.item(for: key).attributes[.startDate] else {
      Issue.record("The date came back as something else.")
      return
    }
    #expect(date.timeIntervalSince1970 == 0)
  }

  @Test func removedAttributesAreGone() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "s3cr3t", [.label: "L", .comment: "C"])
    try keychain.update(password(), ItemChange(removing: [.label]))
    let item = try keychain.item(for: password())
    #expect(item.attributes.label == nil && item.attributes.comment == "C")
    #expect(try keychain.items(matching: KeychainQuery(.genericPassword, [.label: "L"])).isEmpty)
    #expect(try keychain.text(password()) == "s3cr3t")
  }

  @Test(arguments: ItemClass.allCases)
  func everyAttributeOfAClassIsKeptAndFound(_ itemClass: ItemClass) throws {
    let keychain = try SimulatedDevice().keychain()
    var attributes = ItemAttributes()
    for attribute in itemClass.attributes
    where attribute != .creationDate && attribute != .modificationDate {
      attributes[attribute] =
        switch attribute.kind {
        case .text: .text("text of \(attribute)")
        case .data: .data(Data("data of \(attribute)".utf8))
        case .number: 7
        case .date: .date(Date(timeIntervalSince1970: 12_345))
        }
    }
    // A key that is not extractable returns no secret, which another test covers.
    var primary = ItemAttributes()
    for attribute in itemClass.primaryKeyAttributes { primary[attribute] = attributes[attribute] }
    let key = try PrimaryKey(itemClass, primary)
    let reference = try keychain.put(key, "s3cr3t", attributes)
    for (attribute, value) in attributes {
      let found = try keychain.items(matching: KeychainQuery(itemClass, [attribute: value]))
      #expect(found.map(\.reference) == [reference], "\(attribute)")
      #expect(found.first?.attributes[attribute] == value)
    }
    #expect(try keychain.items(matching: KeychainQuery(itemClass, attributes)).count == 1)
  }
}
