import AtRestCrypto
import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The server's certificate and private key, which can be read again while the server runs.
final class Certificates: Sendable {
  private typealias Pair = (chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource)

  private let certificateFile: String
  private let keyFile: String
  private let authorities: [NIOSSLCertificate]?
  private let current: Mutex<Pair>

  /// - Parameter clientAuthority: A file with the authorities of client certificates, or nil if
  ///   clients need none.
  /// - Throws: ``AtRestError/Code/invalidArgument``; ``AtRestError/Code/notPermitted`` if others can read the
  ///   private key.
  init(certificate: String, privateKey: String, clientAuthority: String?) throws {
    certificateFile = certificate
    keyFile = privateKey
    authorities = try clientAuthority.map(Self.readAuthorities)
    current = Mutex(try Self.read(certificate, privateKey))
  }

  /// Reads both files again. If that fails, the former certificate stays in use.
  func reload() throws {
    let read = try Self.read(certificateFile, keyFile)
    current.withLock { $0 = read }
  }

  /// TLS 1.3 only, with the certificate that is current at each handshake.
  var configuration: TLSConfiguration {
    var configuration = Self.configuration(current.withLock { $0 })
    if let authorities {
      // A client has no host name. BoringSSL refuses clients without a certificate.
      configuration.trustRoots = .certificates(authorities)
      configuration.certificateVerification = .noHostnameVerification
    }
    configuration.sslContextCallback = { [self] _, promise in
      let (chain, key) = current.withLock { $0 }
      var override = NIOSSLContextConfigurationOverride()
      override.certificateChain = chain
      override.privateKey = key
      promise.succeed(override)
    }
    return configuration
  }

  private static func configuration(_ pair: Pair) -> TLSConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: pair.chain, privateKey: pair.key)
    configuration.minimumTLSVersion = .tlsv13
    return configuration
  }

  private static func read(_ certificate: String, _ privateKey: String) throws -> Pair {
    var status = stat()
    guard stat(privateKey, &status) != 0 || status.st_mode & 0o027 == 0 else {
      throw AtRestError(
        .notPermitted, "Others can read or change the private key \(privateKey).",
        remedy: "Use a file of mode 0600, or 0640: chmod 600 \(privateKey).")
    }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate)
      guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
      let key = try NIOSSLPrivateKey(file: privateKey, format: .pem)
      let pair: Pair = (chain.map { .certificate($0) }, .privateKey(key))
      // This fails if the key is not the certificate's. Otherwise each handshake would fail.
      _ = try NIOSSLContext(configuration: configuration(pair))
      return pair
    } catch {
      throw AtRestError(
        .invalidArgument,
        "The certificate or its private key cannot be read, or they do not belong together.",
        remedy: "Check \(certificate) and \(privateKey).", cause: error)
    }
  }

  private static func readAuthorities(_ file: String) throws -> [NIOSSLCertificate] {
    do {
      let certificates = try NIOSSLCertificate.fromPEMFile(file)
      guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
      return certificates
    } catch {
      throw AtRestError(
        .invalidArgument, "The authorities of client certificates cannot be read.",
        remedy: "Check \(file).", cause: error)
    }
  }
}
