import Foundation
import LocalAuthentication
import Security
import X509

/// Certificates that an application trusts. They are stored in the keychain and read with
/// swift-certificates.
public struct PinnedCertificates {
  private let account: String

  /// Creates a store for the certificate of an account.
  public init(account: String) { self.account = account }

  private var query: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "pinned-certificate",
      kSecAttrAccount as String: account,
    ]
  }

  /// Stores a certificate, and returns the status of `SecItemAdd`.
  public func pin(_ certificate: Certificate) throws -> OSStatus {
    var item = query
    item[kSecValueData as String] = Data(try certificate.serializeAsPEM().derBytes)
    item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    return SecItemAdd(item as CFDictionary, nil)
  }

  /// Returns the stored certificate, or nil if none is stored.
  public func pinned() throws -> Certificate? {
    var search = query
    search[kSecReturnData as String] = true
    search[kSecUseAuthenticationContext as String] = LAContext()
    var result: CFTypeRef?
    guard SecItemCopyMatching(search as CFDictionary, &result) == errSecSuccess,
      let data = result as? Data
    else { return nil }
    return try Certificate(derEncoded: Array(data))
  }
}
