import AtRestCrypto
import Foundation

/// Reads a certificate.
///
/// - Parameters:
///   - allocator: Ignored.
///   - data: DER.
/// - Returns: nil where the data is no X.509 certificate.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData)
  -> SecCertificate?
{
  SecCertificate(data: data as Data)
}

/// The DER of a certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
  certificate.data as NSData
}

/// What a certificate is called, for people: its common names, else an email address, a host name or
/// an organisation. nil where it has none.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
  certificate.summary as NSString?
}

/// The subject's common name, the last of several.
///
/// - Returns: `errSecInternalError` where there is none.
@discardableResult
public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
  guard let name = certificate.subject.texts(.commonName).last else { return errSecInternalError }
  commonName.pointee = name as NSString
  return errSecSuccess
}

/// The subject's email addresses, of its alternative names first.
///
/// - Returns: `errSecInternalError` where there are none.
@discardableResult
public func SecCertificateCopyEmailAddresses(
  _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  let addresses = certificate.emailAddresses
  guard !addresses.isEmpty else { return errSecInternalError }
  emailAddresses.pointee = addresses as CFArray
  return errSecSuccess
}

/// The public key, or nil where it is of a kind or size that this module does not know: RSA below
/// 2,048 bits, other curves.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  certificate.publicKey.map { SecKey(.publicKey, publicKey: $0) }
}

/// The bytes of the serial number, a big-endian number with a sign.
public func SecCertificateCopySerialNumberData(
  _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  certificate.serialNumber as NSData
}

/// The issuer's name, DER, in the form that names are compared in.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
  certificate.issuer.normalizedSequence as NSData
}

/// The subject's name, DER, in the form that names are compared in.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
  certificate.subject.normalizedSequence as NSData
}

/// Joins a certificate and the private key that belongs to it.
///
/// - Parameter allocator: Ignored.
/// - Returns: nil where the key is a public one, or another certificate's.
public func SecIdentityCreate(
  _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
  guard privateKey.isPrivate, privateKey.publicKey.applicationLabel == certificate.publicKeyHash
  else { return nil }
  return SecIdentity(certificate: certificate, privateKey: privateKey)
}

/// The certificate of an identity.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// The private key of an identity.
@discardableResult
public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  privateKeyRef.pointee = identityRef.privateKey
  return errSecSuccess
}
