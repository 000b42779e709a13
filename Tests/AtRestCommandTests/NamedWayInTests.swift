import Foundation
import Testing

/// A way in that the options name is the only one that is used, so a drill with a wrong key fails.
@Suite struct NamedWayInTests {
  @Test func theStoreDoesNotStandIn() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    let wrong = try run.file("wrong", "wren under 8 copper kettles\n")
    let identity = try run.file(
      "other.pem", run.execute("/usr/bin/openssl", ["genpkey", "-algorithm", "X25519"]).text)
    _ = try run.file("plain", "plain")
    #expect(
      try run("protect", "--class", "none", "--passphrase-file", phrase, "-o", "f", "plain").status
        == 0)
    #expect(try run("protect", "--class", "none", "-o", "g", "plain").status == 0)
    for file in ["f", "g"] {
      #expect(try run("unprotect", "--identity", identity, "-o", "-", file).status == 5)
      #expect(try run("unprotect", "--passphrase-file", wrong, "-o", "-", file).status == 5)
      // Control: the store opens both.
      #expect(try run("unprotect", "-o", "-", file).text == "plain")
    }
    #expect(try run("unprotect", "--passphrase-file", phrase, "-o", "-", "f").text == "plain")
    #expect(
      try run("rewrap", "--class", "none", "--identity", identity, "g").status == 5)
  }
}
