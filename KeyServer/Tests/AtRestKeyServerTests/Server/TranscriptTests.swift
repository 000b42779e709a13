@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// Searches all that arrives at the server, and its rows, for what it must not know.
@Suite struct TranscriptTests {
  private let old = "correct horse battery staple, first"
  private let new = "another passphrase of the same user"
  private let context = Data("document".utf8)

  /// All calls of a client, with the secrets that stay on its side.
  private func useEverything(_ client: KeyServerClient, _ server: TestServer) throws
    -> [String: Data]
  {
    let kdf = try TestKDF.fast
    let dataKey = RandomBytes.data(count: 32)
    var secrets = ["data key": dataKey]
    secrets["key"] = Data(copying: try client.setPassphrase(SecretBytes(utf8: old), kdf: kdf))
    _ = try client.harden(SecretBytes(utf8: old), kdf: kdf)
    try client.changePassphrase(from: SecretBytes(utf8: old), to: SecretBytes(utf8: new), kdf: kdf)
    { former, present in secrets["new key"] = Data(copying: present) }
    expectError(.authenticationFailed) { try client.harden(SecretBytes(utf8: old), kdf: kdf) }
    _ = try client.harden(SecretBytes(utf8: new), kdf: kdf)
    _ = try client.share("disk", creating: true)
    let wrapped = try client.wrap(SecretBytes(dataKey), under: "documents", context: context)
    try client.rotateKey("documents")
    let again = try client.rewrap(wrapped, under: "documents", context: context)
    _ = try client.unwrap(again, under: "documents", context: context)
    for (name, passphrase) in [("passphrase", old), ("new passphrase", new)] {
      secrets[name] = Data(passphrase.utf8)
      for (part, value) in try derived(passphrase, client, server.store) {
        secrets["\(part) of the \(name)"] = value
      }
    }
    return secrets
  }

  /// What the client computes from a passphrase on the way to its keys.
  private func derived(
    _ passphrase: String, _ client: KeyServerClient, _ store: KeyServerStore
  ) throws -> [String: Data] {
    let identity = client.identity
    let input = try HardenedRoot.input(
      SecretBytes(utf8: passphrase), realm: identity.realm, account: identity.account)
    let blinded = try BlindedInput(input, publicKey: identity.publicKey)
    let answer = try store.count(
      Evaluation(account: identity.account, element: blinded.element), nil
    ).evaluate(blinded.element)
    let output = try blinded.finalize(answer.evaluation)
    let root = try TestKDF.fast.deriveKey(
      from: output, salt: HardenedRoot.salt(publicKey: identity.publicKey))
    return [
      "output": Data(copying: output), "root": Data(copying: root),
      "key": Data(copying: root.derive(Purpose("atrest.keyserver.hardened-key.v1"))),
      "proof key": Data(copying: root.derive(Purpose("atrest.keyserver.proof-key.v1"))),
    ]
  }

  @Test(arguments: TestDatabase.kinds)
  func `Neither a passphrase nor a key of the client reaches the server`(kind: TestDatabase.Kind)
    async throws
  {
    let database = try TestDatabase(kind)
    let store = try database.store()
    try store.createAccount("eva", policy: AccountPolicy(allowsUnknownDevices: true))
    try await TestServer.run(store) { server in
      let proxy = try RecordingProxy(server)
      let key = try PrivateKey.generate(.p256)
      let publicKey = try key.publicKey.x963Representation()
      let client = try KeyServerClient.enrol(
        store.createCode(for: "eva"), label: "a test", key: key,
        transport: TLSTransport(
          host: "localhost", port: proxy.port, trustRoots: server.certificate,
          timeout: 120))
      let secrets = try useEverything(client, server)
      #expect(secrets.count == 13)
      // The key that was derived again is the one that the client returned.
      #expect(secrets["key"] == secrets["key of the passphrase"])
      #expect(secrets["new key"] == secrets["key of the new passphrase"])
      let places = ["transcript": proxy.recorded, "rows": try database.rows()]
      for (place, bytes) in places {
        for (name, secret) in secrets {
          let forms = SecretSearch.forms(of: secret, in: bytes)
          #expect(forms.isEmpty, "\(name) in the \(place): \(forms)")
        }
      }
      // The controls: each place has what it should have.
      let requests = String(decoding: proxy.recorded, as: UTF8.self)
      for path in ["enrol", "evaluate", "prove", "register", "keys/get", "keys/rotate"] {
        #expect(requests.contains("POST /v1/\(path) HTTP/1.1"))
      }
      #expect(SecretSearch.forms(of: publicKey, in: proxy.recorded) == ["raw"])
      let device = client.identity.device
      // Twelve bytes without a letter in their hexadecimal digits are the same in both cases.
      let forms = SecretSearch.forms(of: device, in: proxy.recorded)
      #expect(forms.subtracting(["upper-case hexadecimal"]) == ["hexadecimal"])
      #expect(SecretSearch.forms(of: device, in: places["rows"]!) == ["raw"])
      // The device's public key is stored, but sealed.
      #expect(SecretSearch.forms(of: publicKey, in: places["rows"]!).isEmpty)
    }
  }

  /// A transport that tells the server a secret.
  private struct LeakyTransport: KeyServerTransport {
    let base: TLSTransport
    let leak: String

    func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
      try base.send(path: path, headers: headers + [("x-debug", leak)], body: body)
    }
  }

  @Test(arguments: [
    "raw", "hexadecimal", "upper-case hexadecimal", "base64", "base64url", "reversed",
  ])
  func `A transport that leaks a part of the passphrase is found`(form: String) async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    let secret = Data(old.utf8)
    let part = Data(secret.dropFirst(5))
    let leak =
      switch form {
      case "hexadecimal": part.hexadecimal
      case "upper-case hexadecimal": part.hexadecimal.uppercased()
      case "base64", "base64url": part.base64EncodedString()
      case "reversed": String(decoding: part.reversed(), as: UTF8.self)
      default: String(decoding: part, as: UTF8.self)
      }
    try await TestServer.run(store) { server in
      let proxy = try RecordingProxy(server)
      let transport = LeakyTransport(
        base: try TLSTransport(
          host: "localhost", port: proxy.port, trustRoots: server.certificate,
          timeout: 120), leak: leak)
      let client = try KeyServerClient.enrol(
        store.createCode(for: "eva"), label: "", key: PrivateKey.generate(.p256),
        transport: transport)
      _ = try client.setPassphrase(SecretBytes(utf8: old), kdf: TestKDF.fast)
      #expect(SecretSearch.forms(of: secret, in: proxy.recorded).contains(form))
    }
  }
}
