@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// A server that sends escape sequences to whoever reads its refusals.
@Suite struct HostileServerTests {
  private static let server = """
    import http.server, ssl, sys
    body = open(sys.argv[3], "rb").read()
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(int(sys.argv[4]))
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def log_message(self, *arguments): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  @Test(arguments: [
    ("not-enrolled", 401), ("revoked", 403), ("throttled", 429), ("made\u{1B}]0;up\u{07}", 403),
  ])
  func `The client program prints no control characters of a server`(code: String, status: Int)
    throws
  {
    let certificate = try TestCertificate()
    let files = (TemporaryFile(), TemporaryFile(), TemporaryFile())
    let text = "\u{1B}[2J\u{1B}]52;c;ZWNobw==\u{07}a\u{202E}message\r\n\u{9B}31m"
    let refusal = RefusalBody(code: code, message: text, remedy: text, retryAfter: 7)
    try refusal.encoded.write(to: URL(fileURLWithPath: files.0.path))
    let pid = try ChildProcess.start(
      [
        "python3", "-c", Self.server, certificate.certificate, certificate.key, files.0.path,
        "\(status)",
      ], output: files.1.path)
    defer {
      kill(pid, SIGKILL)
      ChildProcess.wait(pid)
    }
    #expect(try eventually { try files.1.text().hasSuffix("\n") })
    let port = try files.1.text().trimmingCharacters(in: .whitespacesAndNewlines)
    try files.2.write("AAAAA-AAAAA-AAAAA-AAAAA-AAAAA\n")
    let folder = TemporaryFile()
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let refused = try ChildProcess.capture([
      ServerProgram.path + "-client", "enrol", "--device", folder.path, "--host", "localhost",
      "--port",
      port, "--trust", certificate.certificate, "--code-file", files.2.path,
    ])
    #expect(refused.status != 0 && refused.output.isEmpty)
    // The control: the text of the server was printed.
    #expect(refused.errors.contains("message"))
    let isPlain = refused.errors.unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || !["Cc", "Cf"].contains(Self.category(scalar))
    }
    #expect(isPlain, "\(Array(refused.errors.utf8))")
    // One line of the error, and what the program adds itself.
    #expect(!refused.errors.contains("\r"))
  }

  private static func category(_ scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control: "Cc"
    case .format: "Cf"
    default: ""
    }
  }
}
