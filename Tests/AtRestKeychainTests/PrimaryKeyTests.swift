import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// The attributes that identify an item, class by class.
@Suite struct PrimaryKeyTests {
  /// The primary keys of Apple's keychain, without access group and synchronizable.
  static let expected: [(ItemClass, [String])] = [
    (.genericPassword, ["acct", "svce"]),
    (.internetPassword, ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]),
    (.key, ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat"]),
    (.certificate, ["ctyp", "issr", "slnr"]),
  ]

  /// Returns two different values of an attribute's type.
  private func values(_ attribute: ItemAttribute) -> (ItemAttributeValue, ItemAttributeValue) {
    switch attribute.kind {
    case .text: ("one", "two")
    case .data: (.data(Data([1])), .data(Data([2])))
    case .number: (1, 2)
    case .date:
      (.date(Date(timeIntervalSince1970: 1)), .date(Date(timeIntervalSince1970: 2)))
    }
  }

  private func fullKey(
    _ itemClass: ItemClass, changing changed: ItemAttribute? = nil, group: String? = nil,
    synchronizable: Bool = false
  ) throws -> PrimaryKey {
    var attributes = ItemAttributes()
    for attribute in itemClass.primaryKeyAttributes {
      let (one, two) = values(attribute)
      attributes[attribute] = attribute == changed ? two : one
    }
    return try PrimaryKey(
      itemClass, attributes, group: group, synchronizable: synchronizable)
  }

  @Test(arguments: expected)
  func eachClassHasApplesPrimaryKey(_ itemClass: ItemClass, _ codes: [String]) {
    #expect(Set(itemClass.primaryKeyAttributes.map(\.rawValue)) == Set(codes))
  }

  @Test(arguments: ItemClass.allCases)
  func aChangeOfAnyPrimaryKeyAttributeIsAnotherItem(_ itemClass: ItemClass) throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(fullKey(itemClass), "base")
    for attribute in itemClass.primaryKeyAttributes {
      try keychain.put(fullKey(itemClass, changing: attribute), "\(attribute)")
    }
    for attribute in itemClass.primaryKeyAttributes {
      #expect(try keychain.text(fullKey(itemClass, changing: attribute)) == "\(attribute)")
    }
    #expect(try keychain.text(fullKey(itemClass)) == "base")
  }

  @Test(arguments: ItemClass.allCases)
  func noOtherAttributeMakesASecondItem(_ itemClass: ItemClass) throws {
    let keychain = try SimulatedDevice().keychain()
    let key = try fullKey(itemClass)
    try keychain.put(key)
    let others = itemClass.attributes.subtracting(itemClass.primaryKeyAttributes)
    #expect(!others.isEmpty)
    for attribute in others {
      let (one, _) = values(attribute)
      #expect(refusal { try keychain.put(key, "", [attribute: one]) } == .duplicate)
    }
  }

  @Test(arguments: ItemClass.allCases)
  func accessibilityAndAccessControlMakeNoSecondItem(_ itemClass: ItemClass) throws {
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    let key = try fullKey(itemClass)
    try keychain.put(key)
    for accessibility in Accessibility.allCases {
      #expect(
        refusal { try keychain.put(key, "", [:], .accessible(accessibility)) } == .duplicate)
      let control = AccessControl(accessibility, .userPresence)
      #expect(refusal { try keychain.put(key, "", [:], .controlled(control)) } == .duplicate)
    }
    #expect(try keychain.count() == 1)
  }

  @Test(arguments: ItemClass.allCases)
  func groupAndSynchronizableAreInThePrimaryKey(_ itemClass: ItemClass) throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain(
      as: ApplicationIdentity("app", keychainAccessGroups: ["one", "two"]))
    for group in ["one", "two"] {
      for isSynchronizable in [false, true] {
        try keychain.put(
          fullKey(itemClass, group: group, synchronizable: isSynchronizable),
          "\(group) \(isSynchronizable)")
      }
    }
    for group in ["one", "two"] {
      for isSynchronizable in [false, true] {
        let key = try fullKey(itemClass, group: group, synchronizable: isSynchronizable)
        #expect(try keychain.text(key) == "\(group) \(isSynchronizable)")
      }
    }
  }

  @Test func itemsOfDifferentClassesDoNotCollide() throws {
    let keychain = try SimulatedDevice().keychain()
    for itemClass in ItemClass.allCases {
      try keychain.put(PrimaryKey(itemClass, [:]), itemClass.rawValue)
    }
    for itemClass in ItemClass.allCases {
      #expect(try keychain.text(PrimaryKey(itemClass, [:])) == itemClass.rawValue)
    }
  }

  @Test func anAbsentPrimaryKeyAttributeCountsAsEmpty() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(PrimaryKey(.genericPassword, [.account: "eva"]))
    #expect(
      refusal { try keychain.put(password("eva", service: "")) } == .duplicate)
    try keychain.put(PrimaryKey(.internetPassword, [.server: "a"]))
    #expect(
      refusal { try keychain.put(PrimaryKey(.internetPassword, [.server: "a", .port: 0])) }
        == .duplicate)
  }

  @Test func anAttributeOutsideThePrimaryKeyIsRefusedInOne() {
    #expect(refusal { try PrimaryKey(.genericPassword, [.label: "x"]) } == .invalidArgument)
  }

  @Test func aPrimaryKeyAttributeGivenTwiceWithTwoValuesIsRefused() throws {
    let keychain = try SimulatedDevice().keychain()
    #expect(
      refusal { try keychain.put(password("eva"), "", [.account: "adam"]) } == .invalidArgument)
    try keychain.put(password("eva"), "", [.account: "eva"])
  }
}
