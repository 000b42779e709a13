import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// systemd gets the credentials of services.
struct CredentialTests {
  @Test func onlyNamesOfUnitsAreRequests() {
    #expect(
      CredentialRequest(name: "d72a1f/unit/web.service/key")
        == CredentialRequest(name: "other/unit/web.service/key"))
    #expect(CredentialRequest(name: "d72a1f/unit/web.service/key")?.unit == "web.service")
    for name in ["", "a/unit/b", "a/unit/b/c/d", "a/user/b/c", "a/unit//c", "/unit/b/c"] {
      #expect(CredentialRequest(name: name) == nil, "\(name)")
    }
  }

  /// A client that binds its end and ends its own direction as systemd does, before it reads.
  @Test(
    .enabled(if: AgentRun.isInstalled("python3") && geteuid() == 0, "needs python3, and root"))
  func aServiceGetsItsSecret() throws {
    let run = try AgentRun()
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let keychain = try Keychain.open(keybag, identity: .owner())
    try keychain.add(
      .genericPassword(service: "web.service", account: "key", group: "systemd"),
      secret: SecretBytes(utf8: "web secret"))
    keychain.close()
    keybag.close()
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX)
      if sys.argv[2]: s.bind("\\0" + sys.argv[2])
      s.connect(sys.argv[1]); s.shutdown(socket.SHUT_WR); data = b""
      while True:
        part = s.recv(4096)
        if not part: break
        data += part
      print(data.decode())
      """
    func load(_ name: String, as user: [String] = []) throws -> String {
      let words = user + ["/usr/bin/python3", "-c", script, run.credentialSocket, name]
      return try run.execute("/usr/bin/env", words).text
    }
    let name = "\(UUID().uuidString)/unit/web.service/key"
    // Locked, and then open.
    #expect(try load(name) == "\n")
    try run.unlock()
    for _ in 0..<20 { #expect(try load(name) == "web secret\n") }
    #expect(try load("\(UUID().uuidString)/unit/other.service/key") == "\n")
    #expect(try load("") == "\n")
    // Another user with the same name gets nothing.
    for path in [run.folder.path, run.folder.path + "/run"] { chmod(path, 0o755) }
    chmod(run.credentialSocket, 0o666)
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    #expect(try load(name, as: nobody) == "\n")
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
    #expect(
      entries.filter { $0.operation == "credential" }.map(\.answer)
        == ["locked"] + Array(repeating: "done", count: 20)
        + ["not-found", "not-permitted", "not-permitted"])
  }
}
