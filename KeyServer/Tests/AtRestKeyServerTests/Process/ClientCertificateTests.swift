import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerStore
import Foundation
import Testing

/// Client certificates, which are required with `--client-ca`.
@Suite struct ClientCertificateTests {
  private let authority: TestCertificate
  private let program: ServerProgram

  init() throws {
    authority = try TestCertificate("An authority")
    program = try ServerProgram(
      TestDatabase(.embedded), flags: ["--client-ca", authority.certificate])
  }

  private func health(_ client: TestCertificate?) throws -> (status: Int32, text: String) {
    try program.curl(
      "/health", client.map { ["--cert", $0.certificate, "--key", $0.key] } ?? [])
  }

  @Test func `A certificate of the authority is accepted, and any other is refused`() throws {
    #expect(try health(TestCertificate("client", issuer: authority)).text == "ok\n")
    // No certificate, one of another authority with the same name, and one that signed itself.
    let other = try TestCertificate("An authority")
    let refused = [
      nil, try TestCertificate("client", issuer: other), try TestCertificate("client"),
    ]
    for client in refused {
      let (status, text) = try health(client)
      #expect(status != 0 && !text.contains("ok"))
    }
    #expect(program.stop() == 0)
  }

  @Test func `A request still needs the signature of a device`() throws {
    let client = try TestCertificate("client", issuer: authority)
    let body = TemporaryFile()
    try body.write(
      "\u{1}\u{0}\u{4}disk\u{0}\u{0}\u{0}\u{0}" + String(repeating: "\u{0}", count: 17))
    let (status, text) = try program.curl(
      "/v1/keys/get",
      [
        "--cert", client.certificate, "--key", client.key, "--data-binary", "@\(body.path)",
        "-o", "/dev/null", "-w", "%{http_code}",
      ])
    #expect(status == 0 && text == "401")
    #expect(program.stop() == 0)
  }

  @Test func `The library presents the certificate of its client`() throws {
    let certificate = try TestCertificate("client", issuer: authority)
    func enrol(_ client: TestCertificate?, key: TestCertificate? = nil) throws {
      let transport = try TLSTransport(
        host: "localhost", port: program.port, trustRoots: program.certificate.certificate,
        clientCertificate: client.map {
          .init(certificate: $0.certificate, privateKey: (key ?? $0).key)
        }, timeout: 15)
      _ = try KeyServerClient.enrol(
        "no code", label: "", key: PrivateKey.generate(.p256), transport: transport)
    }
    // The server's own answer: the handshake was completed.
    expectError(.notEnrolled) { try enrol(certificate) }
    // Controls: without it, and with one of another authority, there is no answer.
    expectError(.keyServerOffline) { try enrol(nil) }
    expectError(.keyServerOffline) { try enrol(TestCertificate("client")) }
    // Files that do not belong together, and one that is missing.
    expectError(.invalidArgument) { try enrol(certificate, key: authority) }
    expectError(.invalidArgument) {
      try TLSTransport(
        host: "localhost",
        clientCertificate: .init(
          certificate: certificate.certificate, privateKey: "/nonexistent/key.pem"))
    }
    #expect(program.stop() == 0)
  }

  @Test func `An authority that cannot be read is refused at the start`() throws {
    #expect(throws: ServerProgram.Failure.self) {
      try ServerProgram(TestDatabase(.embedded), flags: ["--client-ca", "/nonexistent/ca.pem"])
    }
    #expect(program.stop() == 0)
  }
}
