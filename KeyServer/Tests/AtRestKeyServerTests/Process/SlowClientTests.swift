import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

/// Clients that are slow, against the program.
///
/// The limit of five seconds is also the time that the honest clients have on a busy machine.
@Suite struct SlowClientTests {
  private let database: TestDatabase
  private let program: ServerProgram

  init() throws {
    database = try TestDatabase(.embedded)
    program = try ServerProgram(database, flags: ["--request-timeout", "5"])
  }

  private func connect(tls: Bool = true) throws -> RawConnection {
    try RawConnection(
      port: program.port, certificate: tls ? program.certificate.certificate : nil)
  }

  /// Sends a byte now and then until the server closes the connection, for at most a minute.
  private func drip(_ text: String, _ connection: RawConnection) -> Bool {
    for character in text {
      if connection.isClosed { return true }
      connection.send(String(character))
      if eventually(0.1, { connection.isClosed }) { return true }
    }
    return false
  }

  @Test func `A handshake that is not finished is ended`() throws {
    let silent = try connect(tls: false)
    let slow = try connect(tls: false)
    // The beginning of a ClientHello of 512 bytes.
    slow.send("\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}")
    #expect(try program.curl("/health").text == "ok\n")
    #expect(eventually { silent.isClosed && slow.isClosed })
    #expect(program.stop() == 0)
  }

  @Test func `A head that comes in single bytes is ended`() throws {
    let slow = try connect()
    slow.send("GET /health HTTP/1.1\r\nhost: localhost\r\nx: ")
    #expect(drip(String(repeating: "x", count: 600), slow))
    #expect(!slow.text.contains("200"))
    #expect(program.stop() == 0)
  }

  @Test func `A body that comes in single bytes is ended`() throws {
    let slow = try connect()
    slow.send("POST /v1/prove HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4000\r\n\r\n")
    #expect(drip(String(repeating: "x", count: 600), slow))
    // The control: a client that sends its body in time is answered on the same connection twice.
    let good = try connect()
    for count in 1...2 {
      good.send(
        "POST /v1/prove HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\nxyz")
      #expect(
        eventually { good.text.components(separatedBy: "400 Bad Request").count == count + 1 })
    }
    #expect(program.stop() == 0)
  }

  @Test func `A body that goes on after the refusal is ended`() throws {
    let endless = try connect()
    endless.send(
      "POST /v1/prove HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n")
    let chunk = "800\r\n" + String(repeating: "x", count: 2048) + "\r\n"
    for _ in 0..<600 where !endless.isClosed {
      endless.send(chunk)
      if eventually(0.1, { endless.isClosed }) { break }
    }
    #expect(endless.isClosed)
    #expect(endless.text.contains("400 Bad Request"))
    #expect(program.stop() == 0)
  }

  @Test func `A connection without requests is ended`() throws {
    let idle = try connect()
    #expect(eventually { idle.isClosed })
    #expect(idle.text.isEmpty)
    #expect(program.stop() == 0)
  }
}
