import AtRestCrypto
import AtRestKeyServerClient
import Foundation
import Testing

/// The samples of docs/KeyServer.md. Between the marks is what the page shows.
@Suite struct ClientSamples {
  @Test func `A device enrols, and comes back`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let (host, port, certificate) = ("localhost", server.port, server.certificate)
      let code = try store.createCode(for: "eva")
      // sample: enrol a device
      let key = try PrivateKey.generate(.p256)
      let pem = key.pemRepresentation
      let transport = try TLSTransport(host: host, port: port, trustRoots: certificate)
      let client = try KeyServerClient.enrol(
        code, label: "Eva's laptop", key: key, transport: transport)
      // Keep it with the key's PEM, which is a secret.
      let identity = client.identity.encoded
      let passphrase = SecretBytes(utf8: "wren under 7 copper kettles")
      let secret = try client.setPassphrase(passphrase)
      // sample: end
      try server.use(pem, identity, passphrase, secret)
    }
  }
}

extension TestServer {
  fileprivate func use(
    _ pem: borrowing SecretBytes, _ identity: Data, _ passphrase: borrowing SecretBytes,
    _ secret: borrowing SecretBytes
  ) throws {
    let transport = try transport()
    // sample: use an enrolled device
    let client = KeyServerClient(
      try KeyServerIdentity(decoding: identity), key: try PrivateKey(importing: pem),
      transport: transport)
    do {
      let key = try client.harden(passphrase)
      if let unproved = client.attempts?.unproved, unproved > 0 {
        print("\(unproved) attempts were made since you were here.")
      }
      print("The key has \(key.count) bytes.")
    } catch AtRestError.Code.authenticationFailed {
      print("Wrong. \(client.attempts?.remaining ?? 0) attempts are left.")
    } catch let error as AtRestError where error.code == .throttled {
      print("Wait until \((error.cause as? RetryTime)?.date?.formatted() ?? "the operator helps").")
    }
    // sample: end
    let again = try client.harden(passphrase)
    #expect(Data(copying: again) == Data(copying: secret))
  }
}
