import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// A device with an item of a class in a state, and a locked item beside it.
struct AppleStage {
  let device: SimulatedDevice
  private let state: Set<String>
  let full: Request
  let partial: Request
  /// The item without its protection, as it is added.
  let plain: Request

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
    plain = item
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
    return device.run {
      query = asking(query)
      let untouched = NSObject()
      var result: CFTypeRef? = untouched
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      return (status, result === untouched ? "untouched" : words(result))
    }
  }

  /// Returns a query with the state's ways to ask the user. Call this on the device.
  func asking(_ query: Request) -> Request {
    var query = query
    if state.contains("uifail") {
      query[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
    }
    if state.contains("uiskip") {
      query[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
    }
    if state.contains("context") { query[kSecUseAuthenticationContext] = LAContext() }
    return query
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
