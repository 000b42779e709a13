import AtRestAuditModel
import Foundation

/// The claims of JSON web tokens in the code (RFC 7519).
extension Literal {
  /// Returns true for a signed JSON object that says something and admits nobody: none of its members names
  /// who it is for, how long it is valid or what it allows.
  package static func isStatement(_ token: String) -> Bool {
    guard let members = claims(of: token) else { return false }
    return members.keys.allSatisfy { name in
      !claims.contains(name.lowercased()) && SensitiveKind.ofKey(name)?.isSecret != true
    }
  }

  /// Returns true for a token whose role is that of everybody, such as the publishable key of Supabase. The
  /// server decides what everybody may do.
  package static func isPublished(_ token: String) -> Bool {
    guard token.hasPrefix("eyJ"), let role = claims(of: token)?["role"] as? String else {
      return false
    }
    return ["anon", "anonymous", "public", "publishable"].contains(role.lowercased())
  }

  /// Returns the members of the payload of a token, or nil if it has none.
  private static func claims(of token: String) -> [String: Any]? {
    let parts = token.split(separator: ".")
    guard parts.count >= 2 else { return nil }
    var body = parts[1].replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    while body.utf8.count % 4 != 0 { body += "=" }
    guard let data = Data(base64Encoded: body) else { return nil }
    return try? JSONSerialization.jsonObject(with: data) as? [String: Any]
  }

  private static let claims: Set<String> = [
    "exp", "iat", "nbf", "sub", "aud", "iss", "jti", "scope", "scopes", "scp", "role", "roles",
    "uid", "userid", "user_id", "user", "username", "email", "client_id", "azp", "sid", "session",
    "permissions", "admin", "name", "account",
  ]
}
