// sample: a key for one finger
import CryptoKit
import Foundation
import Security

/// Signs in with a key of the secure enclave, which only the finger that is enrolled now can use.
public struct SignIn {
  private let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "sign-in",
  ]

  public init() {}

  /// Makes the key. Returns its public half for the server.
  @discardableResult
  public func register() throws -> Data {
    let control = SecAccessControlCreateWithFlags(
      nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet],
      nil)!
    let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
    let kept = item.merging([
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
      kSecValueData: key.dataRepresentation,
    ]) { $1 }
    let status = SecItemAdd(kept as CFDictionary, nil)
    guard status == errSecSuccess else { throw NSError(domain: "SignIn", code: Int(status)) }
    return key.publicKey.rawRepresentation
  }

  /// Signs a challenge of the server, or returns nil if the user has to register again.
  public func signature(for challenge: Data) -> Data? {
    let query = item.merging([kSecReturnData: true]) { $1 }
    var found: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
      let kept = found as? Data,
      let key = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: kept)
    else { return nil }
    return try? key.signature(for: challenge).rawRepresentation
  }
}
// sample: end
