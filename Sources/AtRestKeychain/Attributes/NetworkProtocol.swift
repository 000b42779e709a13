/// A protocol, given by its usual name or Apple's four-letter code.
package struct NetworkProtocol: Sendable {
  private static let codes = [
    "afp": "afp ", "ftp": "ftp ", "ftps": "ftps", "http": "http", "https": "htps", "imap": "imap",
    "imaps": "imps", "ldap": "ldap", "ldaps": "ldps", "pop3": "pop3", "pop3s": "pops",
    "smb": "smb ", "smtp": "smtp", "ssh": "ssh ", "telnet": "teln",
  ]

  /// The four letters as a number.
  package let code: Int

  /// Creates a protocol. The result is nil if the name is neither known nor of four letters.
  package init?(name: String) {
    let letters = Self.codes[name.lowercased()] ?? name
    guard letters.utf8.count == 4, letters.allSatisfy(\.isASCII) else { return nil }
    code = letters.utf8.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the usual name of a code. Without one, returns the code's letters, or else its digits.
  package static func name(of code: Int64) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    guard code >> 32 == 0, bytes.allSatisfy({ (32..<127).contains($0) }) else {
      return String(code)
    }
    let letters = String(decoding: bytes, as: UTF8.self)
    return codes.first { $0.value == letters }?.key ?? letters
  }

  package static var names: [String] { codes.keys.sorted() }
}

extension ItemAttributes {
  /// Each attribute and its value, sorted, as messages and logs show them.
  var inWords: [String] {
    map { attribute, value in
      guard attribute == .networkProtocol, case .number(let code) = value else {
        return "\(attribute) \(value)"
      }
      return "\(attribute) \(NetworkProtocol.name(of: code))"
    }
    .sorted()
  }
}
