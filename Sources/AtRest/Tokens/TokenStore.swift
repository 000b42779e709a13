import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// Stores one token per account, in place of a password. Expired tokens are renewed; a logout
/// removes the account's token and revokes it at the server.
///
/// ```swift
/// let tokens = TokenStore(
///   renew: { token in try await server.renew(token) },
///   revoke: { token in try await server.revoke(token) })
/// try await tokens.store(server.logIn(name, password), for: account)   // discard the password
/// request.authorize(try await tokens.token(for: account))
/// try await tokens.logOut(account)
/// ```
///
/// Safe to use from several tasks. Several tasks that need the same expired token share one
/// renewal.
public final class TokenStore: Sendable {
  private typealias Renewal = Task<AuthToken, any Error>

  private let renew: (@Sendable (AuthToken) async throws -> AuthToken)?
  private let revoke: (@Sendable (AuthToken) async throws -> Void)?
  private let leeway: TimeInterval
  private let record: VaultRecord<AuthToken>
  private let renewals = Mutex<[Data: Renewal]>([:])

  /// Creates a token store.
  ///
  /// - Parameters:
  ///   - name: The name of the record in each account's compartment.
  ///   - leeway: The number of seconds before its expiry date from which a token is treated as
  ///     expired.
  ///   - renew: Fetches a new token in exchange for an old one. If nil, expired tokens are removed.
  ///   - revoke: Tells the server that a token is no longer valid.
  public init(
    name: String = "token", leeway: TimeInterval = 30,
    renew: (@Sendable (AuthToken) async throws -> AuthToken)? = nil,
    revoke: (@Sendable (AuthToken) async throws -> Void)? = nil
  ) {
    self.renew = renew
    self.revoke = revoke
    self.leeway = leeway
    record = VaultRecord(name, .token)
  }

  /// Stores an account's token, and replaces the former one.
  ///
  /// - Throws: The errors of ``Compartment``'s `store(_:in:)`; ``AtRestError/Code/expired`` for a
  ///   token that has expired and cannot be renewed.
  public func store(_ token: AuthToken, for account: Compartment) async throws {
    guard token.refresh != nil && renew != nil || !hasExpired(token, account) else {
      throw expired()
    }
    try await account.store(token, in: limited(token))
  }

  /// Stores a renewed token, but only in place of the token that was renewed.
  private func store(_ token: AuthToken, for account: Compartment, replacing id: Data) async throws
  {
    guard token.refresh != nil || !hasExpired(token, account) else { throw expired() }
    let record = limited(token)
    try await offActor { try account.store(token, in: record, replacing: id) }
  }

  // A token that cannot be renewed is removed when it expires.
  private func limited(_ token: AuthToken) -> VaultRecord<AuthToken> {
    guard let expires = token.expires, renew == nil || token.refresh == nil else { return record }
    return VaultRecord(record.name, .token, keep: Retention(until: expires))
  }

  /// Returns the account's token, renewed if it has expired.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the account has no token, or if the token was
  ///   revoked during the renewal; ``AtRestError/Code/expired`` if the token has expired and cannot
  ///   be renewed; ``AtRestError/Code/loggedOut``, also if the account logged out during the
  ///   renewal; the error of `renew`; otherwise the errors of ``Compartment``'s `value(in:)`. If
  ///   the token was revoked or the account logged out during the renewal, the new token is revoked
  ///   too.
  public func token(for account: Compartment) async throws -> AuthToken {
    let (id, token) = try await offActor { [record] in
      try account.identified(in: record)
    }
    guard hasExpired(token, account) else { return token }
    guard let renew, token.refresh != nil else {
      try await offActor { [record] in
        try account.remove(record, identified: id)
      }
      throw expired()
    }
    return try await renewal(of: account, renew).value
  }

  private func renewal(
    of account: Compartment, _ renew: @escaping @Sendable (AuthToken) async throws -> AuthToken
  ) -> Renewal {
    renewals.withLock { renewals in
      if let running = renewals[account.id] { return running }
      let renewal = Renewal {
        defer { self.renewals.withLock { _ = $0.removeValue(forKey: account.id) } }
        // Another renewal may have finished since the token was checked.
        let (id, token) = try await offActor {
          try account.identified(in: self.record)
        }
        guard self.hasExpired(token, account) else { return token }
        // After the renewal, the old token is useless, so the new one must be storable.
        try account.vault.checkPasscode()
        let new = try await renew(token)
        do {
          try await self.store(new, for: account, replacing: id)
        } catch is ValueItem.Replaced {
          // The token was revoked, or replaced by a new login, during the renewal. Discard the
          // renewed token.
          try? await self.revoke?(new)
          return try await account.value(in: self.record)
        } catch AtRestError.Code.loggedOut {
          try? await self.revoke?(new)
          throw AtRestError(
            .loggedOut, "The account logged out while its token was renewed.",
            remedy: "Log in again.")
        }
        return new
      }
      renewals[account.id] = renewal
      return renewal
    }
  }

  /// Removes the account's token, if any, and revokes it at the server.
  ///
  /// - Throws: The error of `revoke`, in which case the token is removed from the account all the
  ///   same; otherwise the errors of ``Compartment``'s `value(in:)`, except
  ///   ``AtRestError/Code/notFound`` and ``AtRestError/Code/expired``.
  public func revoke(for account: Compartment) async throws {
    let (id, token): (Data, AuthToken)
    do {
      (id, token) = try await offActor { [record] in
        try account.identified(in: record)
      }
    } catch let error as AtRestError where error.refusal == .notFound {
      return
    }
    try await offActor { [record] in
      try account.remove(record, identified: id)
    }
    try await revoke?(token)
  }

  /// Logs the account out: first wipes all of its local data, then revokes its token at the server.
  ///
  /// - Throws: The errors of `Compartment.logOut()`; the error of `revoke`, after all local data
  ///   has been wiped.
  public func logOut(_ account: Compartment) async throws {
    // Without `revoke`, the token is not read, because a string stays in memory once it is read.
    guard let revoke else { return try await account.logOut() }
    // A token that cannot be read cannot be revoked, but the logout goes on.
    let token = try? await account.value(in: record)
    do {
      try await account.logOut()
    } catch {
      // The items may be gone, and the token with them.
      if let token { try? await revoke(token) }
      throw error
    }
    if let token { try await revoke(token) }
  }

  private func hasExpired(_ token: AuthToken, _ account: Compartment) -> Bool {
    guard let expires = token.expires else { return false }
    // A clock that was set back does not make an expired token valid.
    let now = max(account.keychain.now, (try? account.vault.clock.now()) ?? .distantPast)
    return expires <= now.addingTimeInterval(leeway)
  }

  private func expired() -> AtRestError {
    AtRestError(
      .expired, "The token has expired, and cannot be renewed.", remedy: "Log in again.")
  }
}
