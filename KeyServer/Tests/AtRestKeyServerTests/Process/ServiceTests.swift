import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

/// Signals, certificates and credentials of the program.
@Suite struct ServiceTests {
  @Test func `SIGTERM answers the request in flight, refuses new ones and ends with 0`() throws {
    let program = try ServerProgram(TestDatabase(.embedded))
    let connection = try RawConnection(
      port: program.port, certificate: program.certificate.certificate)
    connection.send(
      "POST /v1/prove HTTP/1.1\r\nhost: localhost\r\ncontent-length: 6\r\n\r\nabc")
    // The head has arrived when a later request on another connection was answered.
    #expect(try program.curl("/health").text == "ok\n")
    program.signal(SIGTERM)
    #expect(try eventually { try program.curl("/health").status == 7 })
    #expect(connection.text.isEmpty && !connection.isClosed)
    connection.send("xyz")
    #expect(eventually { connection.text.contains("400 Bad Request") })
    #expect(program.wait() == 0)
    #expect(try program.log().contains("stopped"))
  }

  @Test func `SIGHUP takes a new certificate, and keeps the old one if the new one is broken`()
    throws
  {
    let program = try ServerProgram(TestDatabase(.embedded))
    let connect = [
      "sh", "-c",
      "openssl s_client -connect localhost:\(program.port) </dev/null 2>/dev/null"
        + " | openssl x509 -noout -fingerprint -sha256",
    ]
    func served() throws -> String { try ChildProcess.run(connect).text }
    func fingerprint(_ certificate: TestCertificate) throws -> String {
      try ChildProcess.run([
        "openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", certificate.certificate,
      ]).text
    }
    let first = try fingerprint(program.certificate)
    #expect(try served() == first)
    let second = try TestCertificate()
    try program.certificate.replace(by: second)
    program.signal(SIGHUP)
    #expect(try eventually { try program.log().contains("The certificate was read again") })
    #expect(try served() == fingerprint(second))
    #expect(try served() != first)

    // A key that does not belong to the certificate, and then no PEM at all.
    let third = try TestCertificate()
    for (text, count) in [(try String(contentsOfFile: third.key, encoding: .utf8), 1), ("x", 2)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: program.certificate.key))
      program.signal(SIGHUP)
      let message = "The former certificate stays in use"
      #expect(
        try eventually { try program.log().components(separatedBy: message).count == count + 1 })
      #expect(try served() == fingerprint(second))
    }
    #expect(program.stop() == 0)
  }

  @Test func `A certificate with another key is refused at the start`() throws {
    let database = try TestDatabase(.embedded)
    let certificates = try [TestCertificate(), TestCertificate()]
    let key = TemporaryFile()
    try key.write(String(repeating: "0a", count: 32))
    let refused = try ChildProcess.capture(
      [
        ServerProgram.path, "serve", "--port", "0", "--certificate",
        certificates[0].certificate, "--private-key", certificates[1].key, "--server-key", key.path,
      ] + database.flags)
    #expect(refused.status == 2)
    #expect(refused.errors.contains(certificates[1].key))
  }

  @Test func `A port that is taken is a failure that names it`() throws {
    let program = try ServerProgram(TestDatabase(.embedded))
    do {
      _ = try ServerProgram(
        TestDatabase(.embedded), environment: ["ATREST_KEYSERVER_PORT": "\(program.port)"],
        portFlag: false)
      Issue.record("Two programs listen on one port.")
    } catch let failure as ServerProgram.Failure {
      #expect(failure.text.contains("cannot listen on 127.0.0.1, port \(program.port)"))
    }
    #expect(program.stop() == 0)
  }

  @Test func `openssl is refused below TLS 1.3, and curl is served`() throws {
    let program = try ServerProgram(TestDatabase(.embedded))
    #expect(try program.curl("/health").text == "ok\n")
    let connect = ["openssl", "s_client", "-connect", "localhost:\(program.port)"]
    #expect(try ChildProcess.run(connect).text.contains("New, TLSv1.3"))
    for version in ["-tls1_2", "-tls1_1", "-tls1"] {
      let refused = try ChildProcess.run(connect + [version])
      #expect(refused.status != 0 && !refused.text.contains("New, TLSv1.3"))
    }
    #expect(try program.curl("/health", ["--tls-max", "1.2"]).status != 0)
    #expect(program.stop() == 0)
  }

  @Test func `The server key can be a credential of systemd`() throws {
    let database = try TestDatabase(.embedded)
    let folder = TemporaryFile()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let key = "\(folder.path)/server-key"
    let environment = ["CREDENTIALS_DIRECTORY": folder.path]
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: key))
      // As systemd does it.
      chmod(key, 0o400)
    }
    try write(database.serverKey.map { String(format: "%02x", $0) }.joined())
    let program = try ServerProgram(database, environment: environment, keyFlag: false)
    #expect(try program.curl("/health").text == "ok\n")
    #expect(program.stop() == 0)
    // The controls: another key is refused, and so is a folder without one.
    try write(String(repeating: "0b", count: 32))
    let list = [ServerProgram.path, "account", "list"] + database.flags
    #expect(try ChildProcess.capture(list, environment: environment).status == 6)
    try FileManager.default.removeItem(atPath: key)
    #expect(try ChildProcess.capture(list, environment: environment).status == 2)
  }
}
