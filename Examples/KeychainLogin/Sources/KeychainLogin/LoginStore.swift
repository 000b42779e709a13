import Foundation
import Security

/// The logins of users, stored in the keychain.
///
/// A login can also be read in the background, once the phone has been unlocked after a restart. A
/// login can never be read on another phone.
public struct LoginStore: Sendable {
  /// The credentials that the server returns for a login.
  public struct Login: Codable, Hashable, Sendable {
    public var token: String
    public var expires: Date

    /// Creates a login from its token and its expiration date.
    public init(token: String, expires: Date) {
      self.token = token
      self.expires = expires
    }
  }

  private let service: String
  private let group: String?

  /// Creates a store.
  ///
  /// - Parameter group: The access group that the application shares with its extensions. If it is
  ///   nil, only the application can read its logins.
  public init(service: String = "com.example.mail", group: String? = nil) {
    self.service = service
    self.group = group
  }

  /// Saves a login. It replaces the user's former login.
  public func save(_ login: Login, of user: String) throws {
    let value: [String: Any] = [
      kSecValueData as String: try JSONEncoder().encode(login),
      kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    // The item is updated, because a crash between deleting and adding would lose the login.
    let status = SecItemUpdate(query(user) as CFDictionary, value as CFDictionary)
    guard status == errSecItemNotFound else { return try KeychainRefusal.check(status) }
    let item = query(user).merging(value) { $1 }
    try KeychainRefusal.check(SecItemAdd(item as CFDictionary, nil))
  }

  /// Returns the login of a user.
  ///
  /// - Throws: ``KeychainRefusal/notFound`` if the user is not logged in, or another refusal.
  public func login(of user: String) throws -> Login {
    var query = query(user)
    query[kSecReturnData as String] = true
    var found: AnyObject?
    try KeychainRefusal.check(SecItemCopyMatching(query as CFDictionary, &found))
    guard let data = found as? Data,
      let login = try? JSONDecoder().decode(Login.self, from: data)
    else { throw KeychainRefusal.damaged }
    return login
  }

  /// Returns the users who are logged in.
  public func users() throws -> [String] {
    var query = query(nil)
    query[kSecReturnAttributes as String] = true
    query[kSecMatchLimit as String] = kSecMatchLimitAll
    var found: AnyObject?
    let status = SecItemCopyMatching(query as CFDictionary, &found)
    if status == errSecItemNotFound { return [] }
    try KeychainRefusal.check(status)
    let items = found as? [[String: Any]] ?? []
    return items.compactMap { $0[kSecAttrAccount as String] as? String }.sorted()
  }

  /// Logs a user out.
  ///
  /// - Throws: ``KeychainRefusal/notFound`` if the user is not logged in, or another refusal.
  public func delete(_ user: String) throws {
    try KeychainRefusal.check(SecItemDelete(query(user) as CFDictionary))
  }

  /// Logs all users out.
  public func wipe() throws {
    let status = SecItemDelete(query(nil) as CFDictionary)
    if status != errSecItemNotFound { try KeychainRefusal.check(status) }
  }

  private func query(_ user: String?) -> [String: Any] {
    var query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
    ]
    query[kSecAttrAccount as String] = user
    query[kSecAttrAccessGroup as String] = group
    return query
  }
}
