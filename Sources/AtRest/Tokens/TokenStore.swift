import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// The tokens that take the place of passwords: one an account, renewed when it has expired, revoked,
/// and gone with the logout.
///
/// ```swift
/// let tokens = TokenStore(
///   renew: { token in try await server.renew(token) },
///   revoke: { token in try await server.revoke(token) })
/// try await tokens.store(server.logIn(name, password), for: account)   // the password is let go of
/// request.authorize(try await tokens.token(for: account))
/// try await tokens.logOut(account)
/// ```
///
/// Safe to use from several tasks: those that find a token expired wait for one renewal.
public final class TokenStore: Sendable {
  private typealias Renewal = Task<Token, any Error>

  private let renew: (@Sendable (Token) async throws -> Token)?
  private let revoke: (@Sendable (Token) async throws -> Void)?
  private let leeway: TimeInterval
  private let record: Record<Token>
  private let renewals = Mutex<[Data: Renewal]>([:])

  /// Makes a store of tokens.
  ///
  /// - Parameters:
  ///   - name: The name of the record in each account's compartment.
  ///   - leeway: How long before its end a token counts as expired, in seconds.
  ///   - renew: Gets a new token for an old one. nil: an expired token is gone.
  ///   - revoke: Tells the server that a token is not valid any more.
  public init(
    name: String = "token", leeway: TimeInterval = 30,
    renew: (@Sendable (Token) async throws -> Token)? = nil,
    revoke: (@Sendable (Token) async throws -> Void)? = nil
  ) {
    self.renew = renew
    self.revoke = revoke
    self.leeway = leeway
    record = Record(name, .token)
  }

  /// Stores an account's token, in place of the one before.
  ///
  /// - Throws: As ``Compartment``'s `store(_:in:)`; ``AtRestError/Code/expired`` for one that has
  ///   expired and cannot be renewed.
  public func store(_ token: Token, for account: Compartment) async throws {
    guard token.refresh != nil && renew != nil || !hasExpired(token, account) else {
      throw expired()
    }
    try await account.store(token, in: limited(token))
  }

  /// Stores what a renewal brought, in place of the token that it renewed and of no other.
  private func store(_ token: Token, for account: Compartment, replacing id: Data) async throws {
    guard token.refresh != nil || !hasExpired(token, account) else { throw expired() }
    let record = limited(token)
    try await account.keychain.offActor { try account.store(token, in: record, replacing: id) }
  }

  // One that cannot be renewed goes when it ends.
  private func limited(_ token: Token) -> Record<Token> {
    guard let expires = token.expires, renew == nil || token.refresh == nil else { return record }
    return Record(record.name, .token, keep: Retention(until: expires))
  }

  /// The account's token, renewed where it has expired.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` where the account has none, also where it was revoked
  ///   during the renewal, whose token is then revoked too;
  ///   ``AtRestError/Code/expired`` where it has expired and cannot be renewed;
  ///   ``AtRestError/Code/loggedOut``, also where the account logged out during the renewal, whose
  ///   token is then revoked; what `renew` throws; otherwise as ``Compartment``'s `value(in:)`.
  public func token(for account: Compartment) async throws -> Token {
    let (id, token) = try await account.keychain.offActor { [record] in
      try account.identified(in: record)
    }
    guard hasExpired(token, account) else { return token }
    guard let renew, token.refresh != nil else {
      try await account.keychain.offActor { [record] in
        try account.remove(record, identified: id)
      }
      throw expired()
    }
    return try await renewal(of: account, renew).value
  }

  private func renewal(
    of account: Compartment, _ renew: @escaping @Sendable (Token) async throws -> Token
  ) -> Renewal {
    renewals.withLock { renewals in
      if let running = renewals[account.id] { return running }
      let renewal = Renewal {
        defer { self.renewals.withLock { _ = $0.removeValue(forKey: account.id) } }
        // Another renewal may have ended since it was looked at.
        let (id, token) = try await account.keychain.offActor {
          try account.identified(in: self.record)
        }
        guard self.hasExpired(token, account) else { return token }
        let new = try await renew(token)
        do {
          try await self.store(new, for: account, replacing: id)
        } catch is Compartment.Replaced {
          // Revoked, or logged in anew, meanwhile: that holds.
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

  /// Removes the account's token, and has it revoked.
  ///
  /// - Throws: What `revoke` throws; the token is gone here all the same.
  public func revoke(for account: Compartment) async throws {
    let (id, token): (Data, Token)
    do {
      (id, token) = try await account.keychain.offActor { [record] in
        try account.identified(in: record)
      }
    } catch let error as AtRestError where error.refusal == .notFound {
      return
    }
    try await account.keychain.offActor { [record] in
      try account.remove(record, identified: id)
    }
    try await revoke?(token)
  }

  /// Logs the account out: everything of it is wiped here first, and then its token revoked.
  ///
  /// - Throws: As `Compartment.logOut()`; what `revoke` throws, and everything is wiped all the
  ///   same.
  public func logOut(_ account: Compartment) async throws {
    // Not read where nobody is told: what is read stays in memory as a string.
    guard let revoke else { return try await account.logOut() }
    // A token that cannot be read cannot be revoked; that keeps nobody from logging out.
    let token = try? await account.value(in: record)
    try await account.logOut()
    if let token { try await revoke(token) }
  }

  private func hasExpired(_ token: Token, _ account: Compartment) -> Bool {
    token.expires.map { $0 <= account.keychain.now.addingTimeInterval(leeway) } ?? false
  }

  private func expired() -> AtRestError {
    AtRestError(
      .expired, "The token has expired, and cannot be renewed.", remedy: "Log in again.")
  }
}
