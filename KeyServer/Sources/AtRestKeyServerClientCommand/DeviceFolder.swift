import ArgumentParser
import AtRestCrypto
import AtRestKeyServerClient
import Foundation

/// The folder with the device's key and identity, and the address of the server.
///
/// The key is in a file with mode 0600. An application keeps it in its keychain or in hardware.
struct DeviceFolder: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of this device.", valueName: "folder"))
  var device: String

  /// The server, as it is stored.
  struct Server: Codable {
    var host: String
    var port: Int
    /// A file with the certificates to trust, or nil for the system's.
    var trust: String?
    /// The files with the certificate of this client and its private key.
    var certificate: String?
    var privateKey: String?

    func transport() throws -> TLSTransport {
      var client: TLSTransport.ClientCertificate?
      if let certificate, let privateKey {
        client = TLSTransport.ClientCertificate(certificate: certificate, privateKey: privateKey)
      } else if certificate != nil || privateKey != nil {
        throw AtRestError(
          .damaged, "The stored address names a certificate without its private key.",
          remedy: "Enrol the device again.")
      }
      return try TLSTransport(
        host: host, port: port, trustRoots: trust, clientCertificate: client)
    }
  }

  private var key: String { "\(device)/key.pem" }
  private var identity: String { "\(device)/identity" }
  private var server: String { "\(device)/server.json" }

  /// Makes the folder for a new device.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if there is a device in it.
  func prepare() throws {
    guard access(identity, F_OK) != 0 else {
      throw AtRestError(
        .duplicate, "\(device) holds an enrolled device.", remedy: "Choose another folder.")
    }
    try FileManager.default.createDirectory(
      atPath: device, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var status = stat()
    guard stat(device, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw AtRestError(
        .notPermitted, "Others can write to the folder \(device).",
        remedy: "Choose a folder that only you can write to.")
    }
  }

  /// Stores a device that was enrolled.
  func store(_ client: KeyServerClient, key pem: borrowing SecretBytes, _ server: Server) throws {
    try pem.withUnsafeBytes { try Self.write($0, to: key) }
    try JSONEncoder().encode(server).withUnsafeBytes { try Self.write($0, to: self.server) }
    try client.identity.encoded.withUnsafeBytes { try Self.write($0, to: identity) }
  }

  /// Returns the client of the device.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the folder holds no device.
  func client() throws -> KeyServerClient {
    guard let stored = FileManager.default.contents(atPath: identity),
      let address = FileManager.default.contents(atPath: server)
    else {
      throw AtRestError(
        .notFound, "\(device) holds no enrolled device.",
        remedy: "Enrol one with: atrest-keyserver-client enrol.")
    }
    return KeyServerClient(
      try KeyServerIdentity(decoding: stored),
      key: try PrivateKey(importing: SecretFile.contents(of: key)),
      transport: try JSONDecoder().decode(Server.self, from: address).transport())
  }

  /// Stores the identity again if it changed, because the account moved to another suite. The former one stays valid, so
  /// a failure is only noted.
  func update(_ client: KeyServerClient) {
    let encoded = client.identity.encoded
    guard FileManager.default.contents(atPath: identity) != encoded else { return }
    let next = "\(identity).new"
    do {
      try encoded.withUnsafeBytes { try Self.write($0, to: next) }
      guard rename(next, identity) == 0 else { throw POSIXError(.EIO) }
    } catch {
      ClientCommand.note("The new identity of this device was not stored in \(device).")
    }
  }

  /// Writes a file that only its owner can read.
  private static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
    // A file that somebody prepared would keep its owner and mode.
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw AtRestError(
        .system, "\(path) cannot be written: \(String(cString: strerror(errno))).",
        remedy: "Choose another folder.")
    }
    defer { close(descriptor) }
    guard Foundation.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count,
      fsync(descriptor) == 0
    else {
      throw AtRestError(.system, "\(path) cannot be written.", remedy: "Check the disk.")
    }
  }
}
