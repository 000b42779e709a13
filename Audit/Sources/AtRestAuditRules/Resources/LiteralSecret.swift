import AtRestAuditModel
import AtRestAuditResources

/// Distinguishes a literal secret from a placeholder, a name or a caption.
enum LiteralSecret {
  /// Returns true if the text is a literal value, rather than a placeholder, a reference or a name.
  ///
  /// - Parameter name: The key of the value. A text that repeats its key is not a value.
  static func isLiteral(_ text: String, named name: String) -> Bool {
    let value = text.trimmed
    guard value.utf8.count >= 3, value.utf8.count <= 8192 else { return false }
    if value.hasPrefix("-----BEGIN"), value.contains("PRIVATE KEY") { return true }
    let lower = value.lowercased()
    if value.contains(where: \.isWhitespace) { return false }
    for mark in ["$(", "${", "{{", "%@", "%s", "<#", "://", "@string/", "...", "…"]
    where value.contains(mark) { return false }
    if value.first == "<" || value.first == "/" || value.first == "~" || value.first == "$"
      || value.hasPrefix("./") || value.hasPrefix("@\"") || value.hasSuffix(":")
    {
      return false
    }
    if nothing.contains(lower) || standIns.contains(where: lower.contains) { return false }
    // A text of at most two different characters, such as bullets, zeros or `aaaa`, is a
    // placeholder.
    if Set(lower).count <= 2 { return false }
    let plain = lower.filter { $0.isLetter || $0.isNumber }
    guard !plain.isEmpty, plain != name.lowercased().filter({ $0.isLetter || $0.isNumber }) else {
      return false
    }
    return !isName(value)
  }

  /// Returns true if the text is the name of a secret, such as `userPassword` or `auth_token`.
  private static func isName(_ value: some StringProtocol) -> Bool {
    let text = String(value)
    guard
      text.utf8.allSatisfy({ byte in
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: byte >= 0x80
        }
      })
    else { return false }
    return SensitiveKind.ofKey(text) != nil || SensitiveKind.ofCaption(text) != nil
      || SensitiveKind.ofField(text) != nil
  }

  /// Returns true if the value looks random: it is long enough, and mixes letters and digits.
  static func looksRandom(_ value: String, atLeast length: Int) -> Bool {
    guard value.utf8.count >= length else { return false }
    var digits = 0
    var letters = 0
    var kinds: Set<UInt8> = []
    for byte in value.utf8 {
      switch byte {
      case 0x30...0x39: digits += 1
      case 0x41...0x5A, 0x61...0x7A: letters += 1
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "|"):
        break
      default: return false
      }
      kinds.insert(byte)
    }
    return digits >= 2 && letters >= 2 && kinds.count * 5 >= min(value.utf8.count, 40)
  }

  /// Returns true if the service documents the value as public.
  static func isPublic(_ value: String, named name: String) -> Bool {
    TokenForm.isPublic(value)
      || ["facebookclienttoken", "gadapplicationidentifier"].contains(name.lowercased())
  }

  private static let nothing: Set<String> = [
    "yes", "no", "true", "false", "none", "null", "nil", "undefined", "default", "string", "text",
    "textfield", "label", "on", "off", "n/a", "tbd", "todo", "empty", "unknown", "required",
    "optional",
  ]

  private static let standIns = [
    "your", "example", "sample", "placeholder", "changeme", "change_me", "change-me", "replace",
    "insert", "dummy", "xxx", "lorem", "redacted", "not_set", "fixme", "goes_here", "enter_",
  ]
}
