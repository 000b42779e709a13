import AtRest
import Foundation

/// A simulated server of a bank. It accepts any password of at least eight bytes.
public actor Server {
  public private(set) var revoked: Set<String> = []  // access tokens

  /// Creates a server that has not revoked any tokens.
  public init() {}

  func logIn(_ name: String, password: consuming SecretBytes) throws -> AuthToken {
    guard password.count >= 8 else { throw refusal }
    return token()
  }

  func renew(_ old: AuthToken) -> AuthToken {
    revoke(old)
    return token()
  }

  func revoke(_ token: AuthToken) { revoked.insert(token.access) }

  func statements(_ token: AuthToken) throws -> [Statement] {
    guard !revoked.contains(token.access) else { throw refusal }
    return [Statement(month: "2026-09", euros: "987"), Statement(month: "2026-10", euros: "1203")]
  }

  private func token() -> AuthToken {
    AuthToken(access: UUID().uuidString, refresh: UUID().uuidString, expires: Date() + 900)
  }

  private let refusal = AtRestError(
    .authenticationFailed, "The bank does not accept this login.", remedy: "Log in again.")
}
