import Foundation
import Testing

/// `git-credential-atrest` answers git, which calls it.
@Suite(.enabled(if: CredentialRun.isInstalled("git"), "git is not installed"))
struct GitCredentialTests {
  private let credential: CredentialRun

  init() throws {
    credential = try CredentialRun()
    _ = try credential("git", "config", "--global", "credential.helper", "atrest")
  }

  private func git(_ operation: String, _ lines: String...) throws -> CommandRun.Result {
    try credential(
      "git", "credential", operation, input: lines.joined(separator: "\n") + "\n\n")
  }

  @Test func gitStoresAsksAndErases() throws {
    let request = "protocol=https\nhost=example.org:8443"
    #expect(try git("fill", request).status != 0)
    let approved = try git("approve", request, "username=eva", "password=pass word=1")
    #expect(approved.status == 0, "\(approved.notes)")
    let filled = try git("fill", request)
    #expect(filled.text.contains("username=eva\npassword=pass word=1\n"), "\(filled.notes)")
    let listed = try credential.run(
      "get", "--server", "example.org", "--account", "eva", "--protocol", "https", "--port", "8443")
    #expect(listed.text == "pass word=1")
    // Other protocols, ports, hosts and users have no password.
    for other in [
      "protocol=http\nhost=example.org:8443", "protocol=https\nhost=example.org",
      "protocol=https\nhost=www.example.org:8443", request + "\nusername=adam",
    ] {
      #expect(try git("fill", other).status != 0, "\(other)")
    }
    // Only the password that was refused is erased.
    _ = try git("reject", request, "username=eva", "password=another")
    #expect(try git("fill", request).status == 0)
    _ = try git("reject", request, "username=eva", "password=pass word=1")
    #expect(try git("fill", request).status != 0)
  }

  @Test func aPasswordThatChangedIsReplaced() throws {
    let request = "protocol=https\nhost=example.org\nusername=eva"
    for password in ["one", "two", "two"] {
      _ = try git("approve", request, "password=\(password)")
    }
    #expect(try git("fill", request).text.contains("password=two\n"))
    #expect(try credential.run("list", "--json").json["items"].map { ($0 as? [Any])?.count } == 1)
  }

  /// git is told to stop if the store is locked, and asks elsewhere only if there is no password.
  @Test func lockedIsNotMissing() throws {
    let request = "protocol=https\nhost=example.org"
    _ = try git("approve", request, "username=eva", "password=one")
    let missing = try credential(
      "git-credential-atrest", "get", input: "protocol=https\nhost=example.com\n\n")
    #expect(missing.status == 0)
    #expect(missing.text == "")
    let passcode = try credential.lock()
    let locked = try credential("git-credential-atrest", "get", input: request + "\n\n")
    #expect(locked.status == 4)
    #expect(locked.text == "quit=1\n")
    #expect(locked.notes.contains("atrest unlock"), "\(locked.notes)")
    let filled = try git("fill", request)
    #expect(filled.notes.contains("told us to quit"), "\(filled.notes)")
    // The options of the command come before git's argument.
    _ = try credential(
      "git", "config", "--global", "credential.helper", "atrest --passcode-file \(passcode)")
    #expect(try git("fill", request).text.contains("password=one\n"))
  }

  @Test func anExpiredPasswordIsNotGiven() throws {
    let request = "protocol=https\nhost=example.org\nusername=eva"
    func store(_ expiry: String) throws {
      _ = try credential(
        "git-credential-atrest", "store", input: "\(request)\npassword=\(expiry)\n\(expiry)\n\n")
    }
    func get() throws -> String {
      try credential("git-credential-atrest", "get", input: request + "\n\n").text
    }
    try store("password_expiry_utc=1000")
    #expect(try get() == "")
    try store("password_expiry_utc=99999999999")
    #expect(try get().hasSuffix("password_expiry_utc=99999999999\n"))
    // A later password without a date does not keep the old one.
    try store("path=")
    #expect(try !get().contains("expiry_utc=99999999999\n"))
  }

  @Test func unknownOperationsAndKeysAreIgnored() throws {
    let result = try credential("git-credential-atrest", "capability")
    #expect(result.status == 0)
    #expect(result.text == "")
    let input = "capability[]=authtype\nwwwauth[]=Basic\nprotocol=https\nhost=a.b\n\n"
    #expect(try credential("git-credential-atrest", "get", input: input).status == 0)
    #expect(try credential("git-credential-atrest", "get", input: "nonsense\n\n").status == 2)
  }
}
