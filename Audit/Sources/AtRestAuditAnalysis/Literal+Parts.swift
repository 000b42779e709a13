import AtRestAuditModel
import Foundation

extension Literal {
  /// Returns the secret in a longer text, and the noun by which a report calls it. A text has one if it is an
  /// address with a key in its query, a connection string with a password, or a header for a login. The key
  /// of an API names the app.
  package static func secretPart(
    of text: String
  ) -> (noun: String, value: String, isOfApp: Bool)? {
    if text.contains("://") { return parameter(inAddress: text) }
    if text.contains(";"), text.contains("=") { return password(inConnection: text) }
    if text.hasPrefix("Basic "), isLogin(text.dropFirst(6)) {
      return ("the header of a login", String(text.dropFirst(6)), false)
    }
    return nil
  }

  /// `https://api.example.net/weather?appid=…`
  private static func parameter(
    inAddress text: String
  ) -> (noun: String, value: String, isOfApp: Bool)? {
    guard let question = text.firstIndex(of: "?") else { return nil }
    for parameter in text[text.index(after: question)...].split(separator: "&") {
      guard let equals = parameter.firstIndex(of: "=") else { continue }
      let name = String(parameter[..<equals])
      let value = String(parameter[parameter.index(after: equals)...].prefix { $0 != "#" })
      guard value.utf8.count >= 10, !isHarmless(value), !isPublic(value), form(of: value) != .words,
        value.contains(where: \.isLetter)
      else { continue }
      let isKeyOfApp = ["appid", "apikey", "api_key", "app_key", "key"].contains(name.lowercased())
      guard isKeyOfApp || SensitiveKind.ofKey(name)?.isSecret == true, name.last != "s" else {
        continue
      }
      return ("the value of “\(name)” in an address", value, isKeyOfApp)
    }
    return nil
  }

  /// `Server=db;User Id=app;Password=…;`
  private static func password(
    inConnection text: String
  ) -> (noun: String, value: String, isOfApp: Bool)? {
    let parts = text.split(separator: ";")
    guard parts.count > 1, parts.allSatisfy({ $0.contains("=") || $0.allSatisfy(\.isWhitespace) })
    else { return nil }
    for part in parts {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].lowercased().filter { !$0.isWhitespace }
      let value = String(part[part.index(after: equals)...])
      guard ["password", "pwd", "accountkey", "sharedaccesskey"].contains(name),
        value.utf8.count >= 6, !isHarmless(value), form(of: value) != .words
      else { continue }
      return ("the password of a connection", value, false)
    }
    return nil
  }

  /// A name and a password with a colon between them, in Base64.
  private static func isLogin(_ text: Substring) -> Bool {
    guard text.utf8.count >= 8, let data = Data(base64Encoded: String(text)),
      let login = String(data: data, encoding: .utf8)
    else { return false }
    let parts = login.split(separator: ":", maxSplits: 1)
    return parts.count == 2 && parts[1].utf8.count >= 6
  }
}
