import Foundation

/// A certificate with the private key that belongs to it.
///
/// Identities are equal if their certificates and keys are equal.
public final class SecIdentity: NSObject, Sendable {
  let certificate: SecCertificate
  let privateKey: SecKey

  init(certificate: SecCertificate, privateKey: SecKey) {
    self.certificate = certificate
    self.privateKey = privateKey
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return other.certificate == certificate && other.privateKey == privateKey
  }
  public override var hash: Int { certificate.hash }
}
