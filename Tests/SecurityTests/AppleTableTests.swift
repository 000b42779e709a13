import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Compares each form of a search with a table that was written from Apple's sources.
///
/// `Fixtures/apple-copy.tsv` names the file and line of the rule for each cell: class × kind of
/// result × limit × state of the item × full primary key or a part of it.
@Suite struct AppleTableTests {
  struct Rule {
    let classes, shapes, limits, states, keys: Set<String>
    let status: OSStatus
    let result: String
    let evidence: String

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 8, let status = OSStatus(fields[5]) else { return nil }
      func set(_ field: String) -> Set<String> { Set(field.split(separator: "|").map(String.init)) }
      (classes, shapes, limits) = (set(fields[0]), set(fields[1]), set(fields[2]))
      (states, keys) = (set(fields[3]), set(fields[4]))
      self.status = status
      (result, evidence) = (fields[6], fields[7])
    }

    func covers(_ cell: Cell) -> Bool {
      func isIn(_ set: Set<String>, _ name: String) -> Bool {
        set.contains("*") || set.contains(name)
      }
      return isIn(classes, cell.itemClass) && isIn(shapes, cell.shape) && isIn(limits, cell.limit)
        && isIn(states, cell.state) && isIn(keys, cell.key)
    }
  }

  struct Cell {
    let itemClass, shape, limit, state, key: String
  }

  static let classes = ["genp", "inet", "cert", "keys", "idnt"]
  static let shapes = [
    "nothing", "data", "attributes", "reference", "persistent", "data+attributes",
  ]
  static let limits = ["none", "one", "all", "number"]
  static let states = [
    "present", "present+uifail", "present+uiskip", "absent", "absent+locked", "locked",
    "locked+uifail", "locked+uiskip", "open", "acl+ok", "acl+cancel", "acl+fail", "acl+uifail",
    "acl+uiskip", "acl+context", "acl+locked", "acl+locked+uiskip",
  ]

  private static func rules() throws -> [Rule] {
    let text = String(decoding: try Fixture.data("apple-copy.tsv"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { Rule($0) }
  }

  @Test(arguments: classes, states)
  func everyFormIsAsInApplesSources(_ itemClass: String, _ state: String) throws {
    let rules = try Self.rules()
    let stage = try Stage(itemClass, state)
    for shape in Self.shapes {
      for limit in Self.limits {
        for key in ["full", "partial"] {
          let cell = Cell(
            itemClass: itemClass, shape: shape, limit: limit, state: state, key: key)
          let rule = try #require(rules.first { $0.covers(cell) })
          let (status, result) = stage.find(cell)
          let comment: Comment = "\(itemClass) \(shape) \(limit) \(state) \(key): \(rule.evidence)"
          #expect(status == rule.status, comment)
          #expect(result == rule.result, comment)
        }
      }
    }
  }
}

/// A device with an item of a class in a state, and a locked item beside it.
private struct Stage {
  private let device: SimulatedDevice
  private let state: Set<String>
  private let full: Request
  private let partial: Request

  init(_ itemClass: String, _ stateName: String) throws {
    device = try SimulatedDevice(passcode: "1234")
    state = Set(stateName.split(separator: "+").map(String.init))
    var item: Request
    switch itemClass {
    case "genp":
      full = [kSecClass: itemClass, kSecAttrService: "mail", kSecAttrAccount: "eva"]
      partial = [kSecClass: itemClass, kSecAttrAccount: "eva"]
      item = full.merging([kSecValueData: Data([1])]) { $1 }
    case "inet":
      full = [
        kSecClass: itemClass, kSecAttrServer: "a.example", kSecAttrAccount: "eva",
        kSecAttrSecurityDomain: "", kSecAttrProtocol: kSecAttrProtocolHTTPS,
        kSecAttrAuthenticationType: kSecAttrAuthenticationTypeDefault, kSecAttrPort: 443,
        kSecAttrPath: "/",
      ]
      partial = [
        kSecClass: itemClass, kSecAttrServer: "a.example", kSecAttrAccount: "eva",
      ]
      item = full.merging([kSecValueData: Data([1])]) { $1 }
    case "keys":
      let key = try Fixture.key("p256")
      full = [kSecClass: itemClass, kSecValueRef: key, kSecAttrApplicationTag: Data([7])]
      partial = [kSecClass: itemClass, kSecAttrApplicationTag: Data([7])]
      item = full
    default:
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf))
      let serial = try #require(SecCertificateCopySerialNumberData(leaf, nil))
      full = [kSecClass: itemClass, kSecAttrIssuer: issuer, kSecAttrSerialNumber: serial]
      partial = [kSecClass: itemClass, kSecAttrLabel: "Leaf"]
      item = [kSecClass: kSecClassCertificate, kSecValueRef: leaf]
      if itemClass == "idnt" {
        let identity = try #require(SecIdentityCreate(nil, leaf, Fixture.key("p256")))
        item = [kSecValueRef: identity]
      }
    }
    item[kSecAttrAccessible] =
      state.contains("open")
      ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleWhenUnlocked
    if state.contains("acl") {
      item[kSecAttrAccessible] = nil
      item[kSecAttrAccessControl] = try accessControl(.devicePasscode)
    }
    let others: [Request] = [
      password("other", service: "mail"),
      [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: "a.example",
        kSecAttrAccount: "other",
      ],
      [
        kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("rsa2048"),
        kSecAttrApplicationTag: Data([8]),
      ],
      [
        kSecClass: kSecClassCertificate, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        kSecValueRef: try #require(
          SecCertificateCreateWithData(nil, Fixture.data("root.cer") as CFData)),
      ],
    ]
    device.run {
      for other in others { #expect(add(other) == errSecSuccess) }
      if !state.contains("absent") { #expect(add(item) == errSecSuccess) }
    }
    if !state.isDisjoint(with: ["locked", "open"]) { device.lock() }
    if state.contains("cancel") { device.user.will(.cancel) }
    if state.contains("fail") { device.user.will(.fail) }
  }

  /// Returns the status of a search, and the result in the words of the table.
  func find(_ cell: AppleTableTests.Cell) -> (OSStatus, String) {
    var query = cell.key == "full" ? full : partial
    for part in cell.shape.split(separator: "+") {
      switch part {
      case "data": query[kSecReturnData] = true
      case "attributes": query[kSecReturnAttributes] = true
      case "reference": query[kSecReturnRef] = true
      case "persistent": query[kSecReturnPersistentRef] = true
      default: break
      }
    }
    switch cell.limit {
    case "one": query[kSecMatchLimit] = kSecMatchLimitOne
    case "all": query[kSecMatchLimit] = kSecMatchLimitAll
    case "number": query[kSecMatchLimit] = 5
    default: break
    }
    if state.contains("uifail") {
      query[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
    }
    if state.contains("uiskip") {
      query[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
    }
    return device.run {
      if state.contains("context") { query[kSecUseAuthenticationContext] = LAContext() }
      let untouched = NSObject()
      var result: CFTypeRef? = untouched
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      return (status, result === untouched ? "untouched" : words(result))
    }
  }

  private func words(_ result: CFTypeRef?) -> String {
    switch result {
    case nil: "nil"
    case let all as [Any]: "[" + all.map { words($0 as AnyObject) }.joined(separator: ",") + "]"
    case is SecKey: "SecKey"
    case is SecCertificate: "SecCertificate"
    case is SecIdentity: "SecIdentity"
    case let data as Data: data.count >= 25 && data.count < 30 ? "P" : "Data"
    case let all as [String: Any]:
      all["agrp"] == nil ? "?" : all["v_Data"] == nil ? "A" : "A+D"
    default: "\(type(of: result))"
    }
  }
}
