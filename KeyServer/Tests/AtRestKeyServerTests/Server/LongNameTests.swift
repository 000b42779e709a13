import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// Names of the greatest length, and longer ones.
@Suite struct LongNameTests {
  // Two bytes each, so that the limits are of bytes and not of characters.
  private static func text(_ bytes: Int) -> String {
    String(repeating: "é", count: bytes / 2) + String(repeating: "x", count: bytes % 2)
  }

  @Test func `The longest names work in every request, in the log and in the lists`() async throws {
    let store = try TestDatabase(.embedded).store()
    let (account, label, name) = (Self.text(255), Self.text(128), Self.text(128))
    try store.createAccount(account, policy: AccountPolicy(allowsUnknownDevices: true))
    try await TestServer.run(store) { server in
      let client = try KeyServerClient.enrol(
        server.store.createCode(for: account), label: label, key: PrivateKey.generate(.p256),
        transport: server.transport())
      let secret = try client.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
      #expect(try client.harden(SecretBytes(utf8: "right"), kdf: TestKDF.fast).isEqual(to: secret))
      let share = try client.share(name, creating: true)
      #expect(try client.share(name).isEqual(to: share))
      try client.rotateShare(name)
    }
    #expect(try store.devices(of: account).map(\.label) == [label])
    var events: [String] = []
    _ = try store.forEachAuditEntry { events.append($0.event) }
    #expect(events.contains { $0.hasPrefix("key rotated: \(name), ") })
    #expect(events.contains("passphrase registered: \(account)"))
  }

  @Test func `A longer name is refused, and changes nothing`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    expectError(.invalidArgument) { try store.createAccount(Self.text(256)) }
    try await TestServer.run(store) { server in
      let code = try server.store.createCode(for: "eva")
      expectError(.invalidArgument) {
        _ = try KeyServerClient.enrol(
          code, label: Self.text(129), key: PrivateKey.generate(.p256),
          transport: server.transport())
      }
      expectError(.notEnrolled) {
        _ = try KeyServerClient.enrol(
          String(repeating: "A", count: 100_000), label: "a phone", key: PrivateKey.generate(.p256),
          transport: server.transport())
      }
      // The code was not used up.
      let client = try KeyServerClient.enrol(
        code, label: Self.text(128), key: PrivateKey.generate(.p256), transport: server.transport())
      expectError(.invalidArgument) { _ = try client.share(Self.text(129), creating: true) }
      _ = try client.share(Self.text(128), creating: true)
    }
    #expect(try store.devices().count == 1)
  }
}
