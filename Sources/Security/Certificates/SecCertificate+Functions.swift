// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import Foundation

/// Reads a certificate.
///
/// - Parameters:
///   - allocator: Ignored.
///   - data: The certificate in DER.
/// - Returns: The certificate, or nil if the data is not an X.509 certificate.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData)
  -> SecCertificate?
{
  SecCertificate(data: data as Data)
}

/// Returns the DER encoding of a certificate.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
  certificate.data as NSData
}

/// Returns a user-readable name for a certificate.
///
/// The name consists of the common names of the subject. If the subject has no common name, the
/// name is an email address, a host name, or another part of the subject, such as the organization.
///
/// - Returns: The name, or nil if the certificate has no name.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
  certificate.summary as NSString?
}

/// Gets the common name of a certificate's subject, or the last one if there are several.
///
/// - Returns: `errSecSuccess`, or -26276 if the certificate has no common name. Apple's constant for this
///   status, `errSecInternal`, is not public.
@discardableResult
public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
  guard let name = certificate.subject.texts(.commonName).last else { return -26276 }
  commonName.pointee = name as NSString
  return errSecSuccess
}

/// Gets the email addresses of a certificate's subject: first those among the alternative names,
/// then those in the distinguished name.
///
/// - Returns: Always `errSecSuccess`. The array is empty if there are no addresses.
@discardableResult
public func SecCertificateCopyEmailAddresses(
  _ certificate: SecCertificate, _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  emailAddresses.pointee = certificate.emailAddresses as CFArray
  return errSecSuccess
}

/// Returns the public key of a certificate.
///
/// - Returns: The key, or nil if this module does not support its type or size. Supported are RSA
///   keys of 2,048 to 4,096 bits, and P-256, P-384, P-521, Ed25519 and X25519 keys.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  certificate.publicKey.map { SecKey(.publicKey, publicKey: $0) }
}

/// Returns the serial number of a certificate: the bytes of a signed big-endian number.
///
/// The call always succeeds.
public func SecCertificateCopySerialNumberData(
  _ certificate: SecCertificate, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  certificate.serialNumber as NSData
}

/// Returns the first instant at which a certificate is valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
  certificate.validity.notBefore as NSDate
}

/// Returns the last instant at which a certificate is valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
  certificate.validity.notAfter as NSDate
}

/// Returns the name of a certificate's issuer in DER, normalized for comparison.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
  certificate.issuer.normalizedSequence as NSData
}

/// Returns the name of a certificate's subject in DER, normalized for comparison.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
  certificate.subject.normalizedSequence as NSData
}

/// Creates an identity from a certificate and the private key that belongs to it.
///
/// - Parameter allocator: Ignored.
/// - Returns: The identity, or nil if the key is a public key or belongs to another certificate.
public func SecIdentityCreate(
  _ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey
) -> SecIdentity? {
  guard privateKey.isPrivate, privateKey.publicKey.applicationLabel == certificate.publicKeyHash
  else { return nil }
  return SecIdentity(certificate: certificate, privateKey: privateKey)
}

/// Gets the certificate of an identity. The call always returns `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// Gets the private key of an identity. The call always returns `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  privateKeyRef.pointee = identityRef.privateKey
  return errSecSuccess
}
