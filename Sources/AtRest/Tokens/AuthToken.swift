import Foundation

/// A token that a server issues in exchange for a password. Unlike the password, the token can be
/// revoked and is useless elsewhere.
///
/// The description of a token contains neither the access token nor the refresh token.
public struct AuthToken: Sendable, Hashable, Codable, CustomStringConvertible, CustomReflectable {
  /// The access token.
  public var access: String
  /// The refresh token, or nil if the token cannot be renewed.
  public var refresh: String?
  /// The date at which the access token expires, or nil if the server does not say.
  public var expires: Date?

  /// Creates a token from a server's answer.
  public init(access: String, refresh: String? = nil, expires: Date? = nil) {
    self.access = access
    self.refresh = refresh
    self.expires = expires
  }

  public var description: String {
    let end = expires.map { "until \($0.ISO8601Format())" } ?? "without an end"
    return "Token(\(end)\(refresh == nil ? "" : ", renewable"))"
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
