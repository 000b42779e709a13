import AtRestFormats

extension Literal {
  /// Returns the password of an address with a name and a password in it,
  /// `ftp://name:password@host`, or nil for any other text.
  package static func password(inAddress text: String) -> String? {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty, parts[0].last == ":", parts[0].utf8.count > 2,
      let at = parts[2].lastIndex(of: "@")
    else { return nil }
    let login = parts[2][..<at].split(separator: ":", maxSplits: 1)
    guard login.count == 2 else { return nil }
    let password = login[1]
    let isLiteral =
      password.utf8.count >= 6 && !password.contains("%") && !password.contains("<")
      && !password.contains("{") && !password.contains("(") && !password.contains("*")
      && !["password", "secret", "passwd"].contains(password.lowercased())
    return isLiteral ? String(password) : nil
  }
}
