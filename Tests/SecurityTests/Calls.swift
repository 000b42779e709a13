import AtRestKeychain
import AtRestSimulation
import Foundation
import Security

// Short forms of the four calls for tests.

typealias Request = [CFString: Any]

func add(_ attributes: Request) -> OSStatus { SecItemAdd(attributes as CFDictionary, nil) }

func adding(_ attributes: Request) -> (status: OSStatus, result: CFTypeRef?) {
  var result: CFTypeRef?
  let status = SecItemAdd(attributes as CFDictionary, &result)
  return (status, result)
}

func find(_ query: Request) -> (status: OSStatus, result: CFTypeRef?) {
  var result: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &result)
  return (status, result)
}

func exists(_ query: Request) -> OSStatus { SecItemCopyMatching(query as CFDictionary, nil) }

func update(_ query: Request, _ changes: Request) -> OSStatus {
  SecItemUpdate(query as CFDictionary, changes as CFDictionary)
}

func delete(_ query: Request) -> OSStatus { SecItemDelete(query as CFDictionary) }

/// Returns the value of the first item that matches a query, as text.
func value(_ query: Request) -> String? {
  let found = find(query.merging([kSecReturnData: true]) { $1 })
  return (found.result as? Data).map { String(decoding: $0, as: UTF8.self) }
}

/// Returns the attributes of the first item that matches a query.
func attributes(_ query: Request) -> [String: Any]? {
  find(query.merging([kSecReturnAttributes: true]) { $1 }).result as? [String: Any]
}

/// Returns the attributes and the value of a generic password.
func password(
  _ account: String = "eva", service: String = "mail", value: String? = "s3cr3t",
  _ more: Request = [:]
) -> Request {
  var all: Request = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
  ]
  if let value { all[kSecValueData] = Data(value.utf8) }
  return all.merging(more) { $1 }
}

/// Returns the query for a generic password.
func query(_ account: String = "eva", service: String = "mail", _ more: Request = [:])
  -> Request
{
  password(account, service: service, value: nil, more)
}

func password(_ more: Request) -> Request { password("eva", more) }
func query(_ more: Request) -> Request { query("eva", more) }

/// Runs code on a new, unlocked device with the passcode 1234.
func onDevice(
  as identity: ApplicationIdentity = ApplicationIdentity("com.example.app"),
  hasHardwareKeys: Bool = false, _ body: (SimulatedDevice) throws -> Void
) throws {
  let device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: hasHardwareKeys)
  try device.run(as: identity) { try body(device) }
}

func accessControl(
  _ flags: SecAccessControlCreateFlags, _ protection: CFString = kSecAttrAccessibleWhenUnlocked
) throws -> SecAccessControl {
  var error: Unmanaged<CFError>?
  guard let made = SecAccessControlCreateWithFlags(nil, protection, flags, &error) else {
    throw error!.takeRetainedValue()
  }
  return made
}
