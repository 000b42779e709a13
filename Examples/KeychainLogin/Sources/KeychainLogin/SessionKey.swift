import Foundation
import LocalAuthentication
import Security

/// The key of data that only the user may open.
///
/// Reading the key requires a finger or face, and the enrolled fingers or faces must be the same as
/// when the key was created. Removing the passcode deletes the key.
public struct SessionKey: Sendable {
  private let service: String

  /// Creates a session key that is stored under a service. No item is created yet.
  public init(service: String = "com.example.mail.session") {
    self.service = service
  }

  /// Creates a key of 32 bytes, which replaces an earlier key. The user is not asked.
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

  /// Returns the key after the user was recognized.
  ///
  /// The call blocks while the user is asked, so do not call it on the main thread.
  ///
  /// - Parameter context: The authentication context. A user who has already authenticated in it is
  ///   not asked again.
  public func read(_ context: LAContext) throws -> Data {
    var query = query
    query[kSecReturnData as String] = true
    query[kSecUseAuthenticationContext as String] = context
    var found: AnyObject?
    try KeychainRefusal.check(SecItemCopyMatching(query as CFDictionary, &found))
    guard let key = found as? Data, key.count == 32 else { throw KeychainRefusal.damaged }
    return key
  }

  /// Removes the key if it exists. The user is not asked.
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
