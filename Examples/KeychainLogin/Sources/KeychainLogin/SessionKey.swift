import Foundation
import LocalAuthentication
import Security

/// The key of what is open to the user alone: it comes with the finger or face that was enrolled
/// when it was made, and is gone with the passcode.
public struct SessionKey: Sendable {
  private let service: String

  public init(service: String = "com.example.mail.session") {
    self.service = service
  }

  /// Makes the key, 32 bytes, in place of an earlier one. Asks nobody.
  public func make() throws {
    var key = Data(count: 32)
    let made = key.withUnsafeMutableBytes {
      SecRandomCopyBytes(kSecRandomDefault, $0.count, $0.baseAddress!)
    }
    try KeychainRefusal.check(made)
    var error: Unmanaged<CFError>?
    guard
      let control = SecAccessControlCreateWithFlags(
        nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, &error)
    else { throw error!.takeRetainedValue() }
    try remove()
    var item = query
    item[kSecAttrAccessControl as String] = control
    item[kSecValueData as String] = key
    try KeychainRefusal.check(SecItemAdd(item as CFDictionary, nil))
  }

  /// The key, once the user was recognized. Blocks meanwhile: not for the main thread.
  ///
  /// - Parameter context: Where it was shown already who the user is, they are not asked again.
  public func read(_ context: LAContext) throws -> Data {
    var query = query
    query[kSecReturnData as String] = true
    query[kSecUseAuthenticationContext as String] = context
    var found: AnyObject?
    try KeychainRefusal.check(SecItemCopyMatching(query as CFDictionary, &found))
    guard let key = found as? Data, key.count == 32 else { throw KeychainRefusal.damaged }
    return key
  }

  /// Removes the key, if there is one. Asks nobody.
  public func remove() throws {
    let status = SecItemDelete(query as CFDictionary)
    if status != errSecItemNotFound { try KeychainRefusal.check(status) }
  }

  private var query: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: "session",
    ]
  }
}
