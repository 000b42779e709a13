import Foundation

/// Evaluates the certificates of ``SecTrust``.
///
/// This module has no verifier of certificates, so every evaluation fails until the program sets one, once:
///
/// ```swift
/// SecTrust.setEvaluator(CertificateEvaluator())
/// ```
///
/// `CertificateEvaluator` is a file of `Examples/WithCertificates` that uses swift-certificates. The module
/// cannot contain it: swift-certificates asks `#if canImport(Security)` and would find this module.
public protocol TrustEvaluator: Sendable {
  /// Returns the chain that begins with ``TrustRequest/certificate`` and ends with a trusted anchor.
  ///
  /// The function runs outside of the threads that tasks share, because a caller waits for it.
  ///
  /// - Throws: ``TrustRefusal`` if the certificate cannot be trusted. Any other error means that the evaluation
  ///   was not completed (`errSecNotAvailable`).
  func chain(for request: TrustRequest) async throws -> [SecCertificate]
}

/// The certificates to evaluate, and the conditions that they have to meet.
public struct TrustRequest: Sendable {
  /// A use of a certificate.
  public enum Purpose: Sendable, Equatable {
    /// Any purpose (`SecPolicyCreateBasicX509`).
    case any
    /// A TLS server with this name or address, or any server.
    case server(String?)
    /// A TLS client with this name or address, or any client.
    case client(String?)
  }

  /// The certificate to evaluate.
  public let certificate: SecCertificate
  /// Other certificates of the caller, in any order. They are not trusted.
  public let intermediates: [SecCertificate]
  /// The anchors that the caller has set.
  public let anchors: [SecCertificate]
  /// True if the anchors of the system are trusted too.
  public let usesSystemAnchors: Bool
  /// The date at which the certificates have to be valid.
  public let date: Date
  /// The purposes for which the certificate has to be suitable, all of them.
  public let purposes: [Purpose]
}

/// The reason why a certificate cannot be trusted.
public struct TrustRefusal: Error, Equatable {
  /// The status of the error that the caller receives, such as `errSecCertificateExpired`.
  public let status: OSStatus
  /// A sentence for the error's description.
  public let reason: String
  /// True if no user may decide to trust the certificate anyway (``SecTrustResultType/fatalTrustFailure``).
  public let isFatal: Bool

  /// Creates a refusal.
  ///
  /// - Parameters:
  ///   - status: A status other than `errSecSuccess`.
  ///   - reason: A sentence for the error's description.
  ///   - isFatal: True if no user may decide to trust the certificate anyway.
  public init(_ status: OSStatus, _ reason: String, isFatal: Bool = false) {
    self.status = status
    self.reason = reason
    self.isFatal = isFatal
  }
}
