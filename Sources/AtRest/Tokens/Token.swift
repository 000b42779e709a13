import Foundation

/// What a server gives in exchange for a password: of no use elsewhere, and revocable.
///
/// Its description shows none of it.
public struct Token: Sendable, Hashable, Codable, CustomStringConvertible, CustomReflectable {
  /// The access token.
  public var access: String
  /// What a new one is had for, or nil.
  public var refresh: String?
  /// When the access token stops working, or nil where the server does not say.
  public var expires: Date?

  /// Makes a token from a server's answer.
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
