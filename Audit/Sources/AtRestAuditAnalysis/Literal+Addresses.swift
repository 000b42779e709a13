import AtRestFormats

extension Literal {
  /// Returns true for an address with a name and a password in it: `ftp://name:password@host`.
  package static func hasLogin(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty, parts[0].last == ":", parts[0].utf8.count > 2,
      let at = parts[2].lastIndex(of: "@")
    else { return false }
    let login = parts[2][..<at].split(separator: ":", maxSplits: 1)
    guard login.count == 2 else { return false }
    let password = login[1]
    return password.utf8.count >= 6 && !password.contains("%") && !password.contains("<")
      && !password.contains("{") && !password.contains("(") && !password.contains("*")
      && !["password", "secret", "passwd"].contains(password.lowercased())
  }
}
