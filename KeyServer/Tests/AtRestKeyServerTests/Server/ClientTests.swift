import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct ClientTests {
  private func harden(_ passphrase: String, _ client: KeyServerClient) throws -> Data {
    Data(copying: try client.harden(SecretBytes(utf8: passphrase), kdf: TestKDF.fast))
  }

  @Test(arguments: TestDatabase.kinds)
  func `A passphrase is hardened, and a wrong one is refused`(kind: TestDatabase.Kind) async throws
  {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let client = try server.client(account: "eva")
      let key = Data(
        copying: try client.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast))
      #expect(try harden("right", client) == key)
      expectError(.authenticationFailed) { try harden("wrong", client) }
      #expect(try store.accounts()[0].attempts == 1)
      #expect(try harden("right", client) == key)
      #expect(try store.accounts()[0].attempts == 0)
      var (former, present) = (Data(), Data())
      try client.changePassphrase(
        from: SecretBytes(utf8: "right"), to: SecretBytes(utf8: "new"), kdf: TestKDF.fast
      ) {
        former = Data(copying: $0)
        present = Data(copying: $1)
      }
      #expect(former == key)
      expectError(.authenticationFailed) { try harden("right", client) }
      #expect(try harden("new", client) == present)
    }
  }

  @Test func `Each refusal is an error of its own`() async throws {
    let store = try TestDatabase(.embedded).store(rules: AttemptRules(limit: 2, delays: []))
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let client = try server.client(account: "eva")
      expectError(.notFound) { try client.share("disk") }
      _ = try client.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
      for _ in 0..<2 { expectError(.authenticationFailed) { try harden("wrong", client) } }
      let error = expectError(.throttled) { try harden("right", client) }
      #expect((error?.cause as? RetryTime) == RetryTime(date: nil))
      expectError(.notEnrolled) {
        try KeyServerClient.enrol(
          "AAAAA-AAAAA", label: "", key: PrivateKey.generate(.p256), transport: server.transport())
      }
      try store.revokeDevice(client.identity.device)
      expectError(.revoked) { try client.share("disk") }
      let nobody = try TLSTransport(
        host: "localhost", port: 1, trustRoots: server.certificate, timeout: 1)
      expectError(.keyServerOffline) {
        try nobody.send(path: "/v1/prove", headers: [], body: Data())
      }
    }
  }

  @Test func `A server whose certificate is not trusted is refused`() async throws {
    let store = try TestDatabase(.embedded).store()
    try await TestServer.run(store) { server in
      let transport = try TLSTransport(host: "localhost", port: server.port)
      expectError(.keyServerOffline) {
        try transport.send(path: "/v1/prove", headers: [], body: Data())
      }
    }
  }

  @Test func `A server with another evaluation key is refused`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let client = try server.client(account: "eva")
      _ = try client.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
      _ = try harden("right", client)
      // The same account with a new key, which the client did not pin.
      try store.resetPassphrase(of: "eva")
      expectError(.otherServerKey) { try harden("right", client) }
    }
  }

  @Test func `Keys are wrapped without the server seeing them`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let client = try server.client(account: "eva")
      let key = Data(repeating: 9, count: 32)
      let context = Data("document 7".utf8)
      let wrapped = try client.wrap(SecretBytes(key), under: "documents", context: context)
      let unwrapped = try client.unwrap(wrapped, under: "documents", context: context)
      #expect(Data(copying: unwrapped) == key)
      expectError(.damaged) {
        try client.unwrap(wrapped, under: "documents", context: Data())
      }
      try client.rotateKey("documents")
      let rewrapped = try client.rewrap(wrapped, under: "documents", context: context)
      try client.withdrawKeys("documents", before: 2)
      expectError(.notPermitted) {
        try client.unwrap(wrapped, under: "documents", context: context)
      }
      let again = try client.unwrap(rewrapped, under: "documents", context: context)
      #expect(Data(copying: again) == key)
    }
  }
}
