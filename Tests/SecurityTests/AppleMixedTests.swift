import AtRestSimulation
import Foundation
import Security
import Testing

/// Compares calls that match several items in different states with a table that was written from Apple's
/// sources, `Fixtures/apple-mixed.tsv`.
@Suite struct AppleMixedTests {
  struct Rule {
    /// The limit of a search, or another call.
    let limit: String
    /// The states of the items, the oldest first.
    let items: [String]
    let interaction: String?
    let status: OSStatus
    /// The number of items that are found or changed.
    let count: Int
    let comment: Comment

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 7, let apple = OSStatus(fields[2]) else { return nil }
      limit = fields[0]
      let parts = fields[1].split(separator: "+").map(String.init)
      items = parts[0].split(separator: ",").map(String.init)
      interaction = parts.dropFirst().first
      status = OSStatus(fields[4]) ?? apple
      count = Int(fields[5]) ?? Int(fields[3]) ?? 0
      comment = "\(line)"
    }
  }

  private static func rules() throws -> [Rule] {
    let text = String(decoding: try Fixture.data("apple-mixed.tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Rule($0) }
  }

  /// Returns an item of a class. All of them match `[class, kSecAttrLabel: "Mixed"]`.
  private func item(_ itemClass: String, _ number: Int, _ state: String) throws -> Request {
    var item: Request = [kSecClass: itemClass, kSecAttrLabel: "Mixed"]
    switch itemClass {
    case "genp", "inet":
      item[kSecAttrAccount] = "\(number)"
      item[kSecValueData] = Data([1])
    case "keys": item[kSecValueRef] = try Fixture.key(["p256", "p384", "p521"][number])
    default:
      let name = ["leaf.cer", "root.cer", "mail.cer"][number]
      item[kSecValueRef] = SecCertificateCreateWithData(nil, try Fixture.data(name) as CFData)
    }
    switch state {
    case "open": item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlock
    case "acl": item[kSecAttrAccessControl] = try accessControl(.devicePasscode)
    default: item[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlocked
    }
    return item
  }

  @Test(arguments: ["genp", "inet", "keys", "cert"])
  func everyMixtureIsAnsweredAsInApplesSources(itemClass: String) throws {
    for rule in try Self.rules() {
      try onDevice { device in
        for (number, state) in rule.items.enumerated() {
          #expect(add(try item(itemClass, number, state)) == errSecSuccess, rule.comment)
        }
        if !rule.items.allSatisfy({ ["present", "acl"].contains($0) }) { device.lock() }
        var query: Request = [kSecClass: itemClass, kSecAttrLabel: "Mixed"]
        switch rule.interaction {
        case "uiskip": query[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
        case "uifail": query[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
        default: break
        }
        let (status, count) = try perform(rule, query, device)
        #expect(status == rule.status, rule.comment)
        #expect(count == rule.count, rule.comment)
      }
    }
  }

  /// Makes the call. Returns its status and the number of items that it found or changed.
  private func perform(
    _ rule: Rule, _ query: Request, _ device: SimulatedDevice
  ) throws -> (OSStatus, Int) {
    var query = query
    switch rule.limit {
    case "update":
      let status = update(query, [kSecAttrLabel: "Changed"])
      try device.unlock()
      query[kSecAttrLabel] = "Changed"
      query[kSecMatchLimit] = kSecMatchLimitAll
      query[kSecReturnAttributes] = true
      return (status, (find(query).result as? [Any])?.count ?? 0)
    case "delete":
      let before = try device.keychain().count()
      return (delete(query), try before - device.keychain().count())
    case "none": break
    case "one": query[kSecMatchLimit] = kSecMatchLimitOne
    case "all": query[kSecMatchLimit] = kSecMatchLimitAll
    default: query[kSecMatchLimit] = Int(rule.limit)
    }
    query[kSecReturnAttributes] = true
    let (status, result) = find(query)
    return (status, (result as? [Any])?.count ?? (result == nil ? 0 : 1))
  }
}
