import AtRestCrypto
import NIOCore
import NIOSSL
import Synchronization

/// The server's certificate and private key, which can be read again while the server runs.
final class Certificates: Sendable {
  private let certificateFile: String
  private let keyFile: String
  private let current: Mutex<(chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource)>

  init(certificate: String, privateKey: String) throws {
    certificateFile = certificate
    keyFile = privateKey
    current = Mutex(try Self.read(certificate, privateKey))
  }

  /// Reads both files again. If that fails, the former certificate stays in use.
  func reload() throws {
    let read = try Self.read(certificateFile, keyFile)
    current.withLock { $0 = read }
  }

  /// TLS 1.3 only, with the certificate that is current at each handshake.
  var configuration: TLSConfiguration {
    let (chain, key) = current.withLock { $0 }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: key)
    configuration.minimumTLSVersion = .tlsv13
    configuration.sslContextCallback = { [self] _, promise in
      let (chain, key) = current.withLock { $0 }
      var override = NIOSSLContextConfigurationOverride()
      override.certificateChain = chain
      override.privateKey = key
      promise.succeed(override)
    }
    return configuration
  }

  private static func read(_ certificate: String, _ privateKey: String) throws
    -> ([NIOSSLCertificateSource], NIOSSLPrivateKeySource)
  {
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate)
      guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
      let key = try NIOSSLPrivateKey(file: privateKey, format: .pem)
      return (chain.map { .certificate($0) }, .privateKey(key))
    } catch {
      throw AtRestError(
        .invalidArgument, "The certificate or its private key cannot be read.",
        remedy: "Check \(certificate) and \(privateKey).", cause: error)
    }
  }
}
