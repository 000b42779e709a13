import AtRestCredentials
import AtRestCrypto
import AtRestKeychain
import Foundation

/// The internet passwords that git asks for.
struct GitItems {
  let keychain: Keychain
  let group: String?
  let context: AuthenticationContext

  private static let expiryName = "password_expiry_utc="

  /// Returns the items for a credential, the best first: those for the whole host, then the newest.
  ///
  /// As in git's own store, a request without a user name or path matches any, and the rest has to
  /// be equal.
  func matching(_ credential: GitCredential) throws -> [KeychainItem] {
    guard let networkProtocol = credential.networkProtocol else { return [] }
    var attributes: ItemAttributes = [
      .server: .text(credential.server), .networkProtocol: .number(Int64(networkProtocol)),
    ]
    if let username = credential.username { attributes[.account] = .text(username) }
    let query = KeychainQuery(.internetPassword, attributes, group: group, synchronizable: .any)
    let items = try keychain.items(matching: query, context: context)
    func path(_ item: KeychainItem) -> String { item.attributes[.path]?.description ?? "" }
    func date(_ item: KeychainItem) -> Date { item.attributes.modificationDate ?? .distantPast }
    let found = items.filter { item in
      Self.port(of: item) == credential.port ?? 0
        && (credential.path == nil || path(item) == credential.path)
    }
    // What could not be looked at may be the password.
    if found.isEmpty, let withheld = items.withheld.first { throw withheld.reason }
    return found.sorted {
      path($0).isEmpty != path($1).isEmpty ? path($0).isEmpty : date($0) > date($1)
    }
  }

  private static func port(of item: KeychainItem) -> Int {
    if case .number(let port)? = item.attributes[.port] { Int(port) } else { 0 }
  }

  /// Returns the time after which an item's password is useless, in seconds since 1970.
  func expiry(of item: KeychainItem) -> Int64? {
    guard let comment = item.attributes.comment, comment.hasPrefix(Self.expiryName) else {
      return nil
    }
    return Int64(comment.dropFirst(Self.expiryName.count))
  }

  /// Stores a credential, in place of the one for the same user, host and path.
  func store(_ credential: GitCredential) throws {
    guard let username = credential.username, let password = credential.password,
      let networkProtocol = credential.networkProtocol
    else { return }
    let key = PrimaryKey.internetPassword(
      server: credential.server, account: username, port: credential.port, path: credential.path,
      networkProtocol: networkProtocol, group: group)
    var attributes: ItemAttributes = [.label: .text("git")]
    if let expiry = credential.expiry {
      attributes[.comment] = .text("\(Self.expiryName)\(expiry)")
    }
    // git stores each password that worked, so most of them are known already.
    if let known = try? keychain.secret(for: key), known.isEqual(to: password.bytes) { return }
    let before = try? keychain.item(for: key)
    if before.flatMap(expiry(of:)) != nil, credential.expiry == nil {
      attributes[.comment] = .text("")
    }
    if before?.attributes.label != nil { attributes[.label] = nil }
    // One call, because a transaction does not go through the agent.
    try keychain.set(key, secret: password.bytes, attributes: attributes)
  }

  /// Deletes the items for a credential that was refused. If the credential has a password, an item
  /// with another password stays.
  func erase(_ credential: GitCredential) throws {
    for item in try matching(credential) {
      if let refused = credential.password {
        let secret = try keychain.secret(for: item.reference, context: context)
        guard secret.isEqual(to: refused.bytes) else { continue }
      }
      try keychain.delete(item.primaryKey)
    }
  }
}
