import Foundation
import Security
import Testing

/// Tests the attributes that every item of a class has, even if it was added without them.
@Suite struct DefaultAttributeTests {
  private func added(_ item: Request) throws -> [String: Any] {
    let found = adding(item.merging([kSecReturnAttributes: true]) { $1 })
    #expect(found.status == errSecSuccess)
    let all = try #require(found.result as? [String: Any])
    var query = item
    query[kSecValueData] = nil
    #expect(attributes(query).map { $0 as NSDictionary } == all as NSDictionary)
    return all
  }

  @Test func aPasswordHasAnAccountAndAService() throws {
    try onDevice { _ in
      let all = try added([kSecClass: kSecClassGenericPassword, kSecAttrLabel: "x"])
      for key in ["acct", "svce"] { #expect(all[key] as? String == "") }
      for key in ["gena", "desc", "icmt", "crtr", "type"] { #expect(all[key] == nil) }
    }
  }

  @Test func anInternetPasswordHasItsWholeAddress() throws {
    try onDevice { _ in
      let all = try added([kSecClass: kSecClassInternetPassword, kSecAttrServer: "a.example"])
      for key in ["acct", "sdmn", "atyp", "path"] { #expect(all[key] as? String == "") }
      for key in ["port", "ptcl"] { #expect(all[key] as? Int == 0) }
    }
  }

  @Test func aKeyHasNumbersAndDates() throws {
    try onDevice { _ in
      let all = try added([
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
        kSecValueData: Data(count: 16),
      ])
      for key in ["crtr", "type", "bsiz", "esiz"] { #expect(all[key] as? Int == 0) }
      #expect(all["atag"] as? String == "" || all["atag"] as? Data == Data())
      #expect(all["klbl"] as? Data == Data())
      for key in ["sdat", "edat"] {
        #expect(all[key] as? Date == Date(timeIntervalSinceReferenceDate: 0))
      }
    }
  }

  @Test func whatCameBackFindsTheItem() throws {
    try onDevice { _ in
      for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
        let all = try added([kSecClass: itemClass, kSecAttrAccount: "eva"])
        let query = all.reduce(into: [kSecClass: itemClass] as Request) {
          $0[$1.key as CFString] = $1.value
        }
        #expect(exists(query) == errSecSuccess)
      }
    }
  }

  /// A default value that is given is the value of the same item.
  @Test func aDefaultThatIsGivenMakesNoSecondItem() throws {
    try onDevice { _ in
      let item: Request = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "a.example"]
      #expect(add(item) == errSecSuccess)
      for more: Request in [[kSecAttrPort: 0], [kSecAttrPath: ""], [kSecAttrAccount: ""]] {
        #expect(add(item.merging(more) { $1 }) == errSecDuplicateItem)
      }
    }
  }
}
