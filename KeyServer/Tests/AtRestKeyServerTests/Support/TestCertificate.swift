import Foundation

/// A certificate and its private key, in files.
final class TestCertificate: Sendable {
  private let files = (TemporaryFile(), TemporaryFile())

  var certificate: String { files.0.path }
  var key: String { files.1.path }

  struct Failure: Error { let text: String }

  /// Makes a certificate.
  ///
  /// - Parameters:
  ///   - name: The name of the host, of the client or of the authority.
  ///   - issuer: The authority that signs it, or nil for a certificate that signs itself.
  init(_ name: String = "localhost", issuer: TestCertificate? = nil) throws {
    var arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", files.1.path, "-out", files.0.path, "-days", "2", "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=DNS:\(name)",
    ]
    if let issuer {
      arguments += [
        "-CA", issuer.certificate, "-CAkey", issuer.key, "-addext",
        "basicConstraints=critical,CA:FALSE",
      ]
    }
    let made = try ChildProcess.run(arguments)
    guard made.status == 0 else { throw Failure(text: made.text) }
  }

  /// Replaces both files by those of another certificate.
  func replace(by other: TestCertificate) throws {
    try files.0.write(String(contentsOfFile: other.certificate, encoding: .utf8))
    try files.1.write(String(contentsOfFile: other.key, encoding: .utf8))
  }
}
