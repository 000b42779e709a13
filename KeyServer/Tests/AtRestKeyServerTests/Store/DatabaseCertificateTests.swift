import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

/// Whom the server takes for its database on another machine.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct DatabaseCertificateTests {
  private func open(_ connection: String) throws {
    _ = try KeyServerStore(
      Database(.postgreSQL(connection)), serverKey: SecretBytes(Data(count: 32)))
  }

  @Test
  func `A database has to show a certificate for its name, unless the settings say otherwise`()
    throws
  {
    let certificate = try TestCertificate("localhost")
    let server = try PostgreSQLServer(certificate: certificate)
    let (name, address) = (
      server.networkConnection(host: "localhost"), server.networkConnection(host: "127.0.0.1")
    )
    let trusted = " sslrootcert=\(certificate.certificate)"
    // No authority that is trusted, another name, and somebody else's certificate.
    let other = try TestCertificate("localhost")
    for connection in [name, address + trusted, name + " sslrootcert=\(other.certificate)"] {
      expectError(.keyServerOffline) { try open(connection) }
    }
    try open(name + trusted)
    // The control: what the settings say counts.
    try open(name + " sslmode=disable")
    // A socket of this machine needs none.
    try open(server.connection())
  }
}
