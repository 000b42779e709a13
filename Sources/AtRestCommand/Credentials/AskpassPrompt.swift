import AtRestKeychain
import Foundation

/// A question of ssh, git or sudo that an item of the keychain answers.
package enum AskpassPrompt: Equatable {
  /// The passphrase of a key file: a generic password with the service `ssh`.
  case keyFile(String)
  /// The password of a user at a host.
  case password(networkProtocol: String, host: String, user: String?)
  /// The name of the user at a host.
  case username(networkProtocol: String, host: String)
  /// The password of a user of this machine, for sudo.
  case sudo(user: String)

  /// Recognises the text of a question. Returns nil for any other question, in particular for
  /// questions to be answered with yes or no.
  package init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespaces)
    if let file = Self.part(of: text, "Enter passphrase for key '", "':")
      ?? Self.part(of: text, "Enter passphrase for ", ":")
    {
      self = .keyFile(file)
    } else if let user = Self.part(of: text, "[sudo] password for ", ":") {
      self = .sudo(user: user)
    } else if let url = Self.part(of: text, "Password for '", "':") {
      guard let (networkProtocol, host, user) = Self.parts(of: url) else { return nil }
      self = .password(networkProtocol: networkProtocol, host: host, user: user)
    } else if let url = Self.part(of: text, "Username for '", "':") {
      guard let (networkProtocol, host, _) = Self.parts(of: url) else { return nil }
      self = .username(networkProtocol: networkProtocol, host: host)
    } else if let login = Self.part(of: text, "", "'s password:") {
      guard let at = login.lastIndex(of: "@"), !login.contains(" ") else { return nil }
      self = .password(
        networkProtocol: "ssh", host: String(login[login.index(after: at)...]),
        user: String(login[..<at]))
    } else {
      return nil
    }
  }

  private static func part(of text: String, _ start: String, _ end: String) -> String? {
    guard text.hasPrefix(start), text.hasSuffix(end), text.count > start.count + end.count else {
      return nil
    }
    return String(text.dropFirst(start.count).dropLast(end.count))
  }

  /// Returns the parts of `protocol://user@host`.
  private static func parts(of url: String) -> (String, host: String, user: String?)? {
    guard let range = url.range(of: "://") else { return nil }
    let rest = url[range.upperBound...].split(separator: "/").first ?? ""
    let at = rest.lastIndex(of: "@")
    let host = at.map { String(rest[rest.index(after: $0)...]) } ?? String(rest)
    let user = at.flatMap { String(rest[..<$0]).removingPercentEncoding }
    return host.isEmpty ? nil : (String(url[..<range.lowerBound]), host, user)
  }
}
