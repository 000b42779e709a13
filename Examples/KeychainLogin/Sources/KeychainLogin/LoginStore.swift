import Foundation
import Security

/// The logins of users: what the server gave them, kept in the keychain.
///
/// Readable in the background too, once the phone was unlocked after it started, and never on
/// another phone.
public struct LoginStore: Sendable {
  /// What a server gives who logged in.
  public struct Login: Codable, Hashable, Sendable {
    public var token: String
    public var expires: Date

    public init(token: String, expires: Date) {
      self.token = token
      self.expires = expires
    }
  }

  private let service: String
  private let group: String?

  /// - Parameter group: The access group that the application and its extensions have in common;
  ///   nil: the application alone reads its logins.
  public init(service: String = "com.example.mail", group: String? = nil) {
    self.service = service
    self.group = group
  }

  /// Keeps a login, in place of the one that the user had.
  public func save(_ login: Login, of user: String) throws {
    let value: [String: Any] = [
      kSecValueData as String: try JSONEncoder().encode(login),
      kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]
    // Never deleted and added again: a crash in between would lose the login.
    let status = SecItemUpdate(query(user) as CFDictionary, value as CFDictionary)
    guard status == errSecItemNotFound else { return try KeychainRefusal.check(status) }
    let item = query(user).merging(value) { $1 }
    try KeychainRefusal.check(SecItemAdd(item as CFDictionary, nil))
  }

  /// The login of a user.
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

  /// Who is logged in.
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
  public func delete(_ user: String) throws {
    try KeychainRefusal.check(SecItemDelete(query(user) as CFDictionary))
  }

  /// Logs everybody out.
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
