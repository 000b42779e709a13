import AtRestCredentials
import Foundation
import Testing

/// `atrest-askpass` answers no question that could be about another host, such as those that git asked
/// for crafted URLs before it was changed (CVE-2020-5260, CVE-2020-11008, CVE-2024-50349,
/// CVE-2024-52006).
struct AmbiguousPromptTests {
  private static let refused = [
    // A host with an encoded slash, decoded by git before January 2025.
    "Password for 'https://victim.com/@evil.com': ",
    "Username for 'https://victim.com/@evil.com': ",
    "Password for 'https://victim.com%2f@evil.com': ".replacingOccurrences(of: "%2f", with: "?"),
    "Password for 'https://victim.com#@evil.com': ",
    "Password for 'https://eva@victim.com/@evil.com': ",
    // Two readings of the user.
    "Password for 'https://eva@victim.com@evil.com': ",
    "Password for 'https://eva:x@victim.com': ",
    // Hosts and paths with encoded separators.
    "Password for 'https://victim.com%2fx': ", "Password for 'https://victim.com%40evil.com': ",
    "Password for 'https://evil.com/https://victim.com': ",
    // Line ends and escape sequences (CVE-2020-5260, CVE-2024-52006, CVE-2024-50349).
    "Password for 'https://evil.com\nhost=victim.com': ",
    "Password for 'https://evil.com\rhost=victim.com': ",
    "Password for 'https://evil.com\u{1B}[2K\u{1B}[1Gvictim.com': ",
    "Password for 'https://eva%0ahost=victim.com@evil.com': ",
    "Password for 'https://\u{202E}moc.mitciv@evil.com': ",
    // Quotation marks that seem to end the name.
    "Password for 'https://victim.com': or 'https://evil.com': ",
    "Password for 'https://victim.com\"@evil.com': ",
    // No host, and no protocol (CVE-2020-11008).
    "Password for 'https://': ", "Password for 'https://eva@': ", "Password for '://victim.com': ",
    "Password for 'victim.com': ", "Password for 'https://ev il.com': ",
    // ssh.
    "eva@victim.com@evil.com's password: ", "eva@victim.com/@evil.com's password: ",
    "a'b@evil.com's password: ", "eva@evil.com\nx's password: ",
    // A question of a server, with the name that ssh writes before it.
    "(eva@evil.com) Password for 'https://victim.com': ",
  ]

  @Test(arguments: refused) func isNotAnswered(_ prompt: String) {
    #expect(AskpassPrompt(prompt) == nil)
  }

  /// Controls: what git and ssh ask about ordinary hosts.
  @Test func ordinaryPromptsAreAnswered() {
    let cases: [(String, host: String, user: String?)] = [
      ("Password for 'https://example.org': ", "example.org", nil),
      ("Password for 'https://eva@example.org:8443': ", "example.org:8443", "eva"),
      ("Password for 'https://eva%40corp@example.org': ", "example.org", "eva@corp"),
      ("Password for 'https://eva@example.org/group/name.git': ", "example.org", "eva"),
      ("Password for 'http://eva@[2001:db8::1]:80': ", "[2001:db8::1]:80", "eva"),
    ]
    for (text, host, user) in cases {
      let name = text.contains("https") ? "https" : "http"
      #expect(
        AskpassPrompt(text) == .password(networkProtocol: name, host: host, user: user), "\(text)")
    }
  }

  /// The password of another host is not printed, by the whole program.
  @Test func thePasswordOfAnotherHostStays() throws {
    let credential = try CredentialRun()
    _ = try credential.run(
      "add", "--server", "victim.com", "--account", "eva", "--protocol", "https", input: "one")
    #expect(
      try credential("atrest-askpass", "Password for 'https://victim.com/@evil.com': ").status == 3)
    // Control.
    #expect(try credential("atrest-askpass", "Password for 'https://victim.com': ").text == "one\n")
  }
}
