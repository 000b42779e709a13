import AtRestKeychain
import Foundation
import Security

/// A token in the keychain, as an application keeps it.
enum Token {
  private static var item: [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "token"]
  }

  /// Saves a token, which is readable while the phone is unlocked.
  static func save(_ text: String = "s3cr3t") throws {
    try add(text, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
  }

  /// Saves a token that only the finger of now opens.
  static func saveForThisFinger() throws {
    let control = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)!
    try add("s3cr3t", [kSecAttrAccessControl: control])
  }

  private static func add(_ text: String, _ protection: [CFString: Any]) throws {
    var attributes = item.merging(protection) { $1 }
    attributes[kSecValueData] = Data(text.utf8)
    let status = SecItemAdd(attributes as CFDictionary, nil)
    guard status == errSecSuccess else { throw NSError(domain: "status", code: Int(status)) }
  }

  /// Reads the token. Returns its status.
  static func read() -> OSStatus {
    var found: CFTypeRef?
    let query = item.merging([kSecReturnData: true]) { $1 }
    return SecItemCopyMatching(query as CFDictionary, &found)
  }
}
