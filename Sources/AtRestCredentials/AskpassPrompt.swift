@_spi(Tools) import AtRestCrypto
import Foundation

/// A question of ssh, git or sudo that an item of the keychain answers.
///
/// The text of a question may contain names from elsewhere, such as the URL of a repository. A question
/// that could be read in two ways is therefore not recognised.
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
    guard Self.isPlain(text) else { return nil }
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
      let parts = login.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, Self.isHost(parts[1]), Self.isUser(parts[0]) else { return nil }
      self = .password(
        networkProtocol: "ssh", host: String(parts[1]), user: String(parts[0]))
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

  /// Returns the parts of `protocol://user@host`, with a path after it or without one.
  ///
  /// Returns nil for anything that another reader could take apart in another way: an `@` that does not
  /// end the user's name, quotation marks, spaces, and characters that belong into no host.
  private static func parts(of url: String) -> (String, host: String, user: String?)? {
    guard let range = url.range(of: "://") else { return nil }
    let name = url[..<range.lowerBound]
    let whole = url[range.upperBound...]
    let end = whole.firstIndex { "/?#".contains($0) } ?? whole.endIndex
    let halves = whole[..<end].split(separator: "@", omittingEmptySubsequences: false)
    guard isProtocol(name), !whole[end...].contains(where: { "@?#\"'\\: ".contains($0) }),
      halves.count <= 2, let host = halves.last, isHost(host)
    else { return nil }
    guard halves.count == 2 else { return (String(name), String(host), nil) }
    guard isUser(halves[0]), let user = String(halves[0]).removingPercentEncoding, isPlain(user)
    else { return nil }
    return (String(name), String(host), user)
  }

  /// True if the text has no characters that change how other text is shown.
  private static func isPlain(_ text: String) -> Bool {
    !text.unicodeScalars.contains(where: \.isHidden)
  }

  private static func isProtocol(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || "+.-".utf8.contains($0) }
  }

  /// True for a name or an address, with a port or without one.
  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._:[]%".utf8.contains($0) }
      && !text.lowercased().contains("%2f") && !text.contains("%40")
  }

  /// True for a name as git and ssh show it.
  private static func isUser(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0 > 0x20 && $0 != 0x7F && !"/?#@:\"'\\".utf8.contains($0)
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte & 0xDF) && byte < 0x80
  }
}
