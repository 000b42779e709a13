// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import Foundation
import Logging

/// Reads the identities of a PKCS#12 file.
///
/// The call does not evaluate whether the certificates can be trusted. Evaluate `kSecImportItemTrust` to know.
///
/// - Parameters:
///   - pkcs12_data: The file. Contents that are encrypted with 3DES, RC2 or RC4, which older exporters use, need
///     OpenSSL 3: without it, ``SecCopyFailureReasonString(_:)`` names the cipher and the command that converts
///     the file.
///   - options: `kSecImportExportPassphrase` is the password, which is empty by default. If
///     `kSecUseDataProtectionKeychain` is true, the identities and the certificates of their chains
///     are added to the keychain, and the other options apply to the new items. Items that already
///     exist stay unchanged.
///   - items: Receives an array of dictionaries with the keys `kSecImportItemIdentity`,
///     `kSecImportItemTrust` (for X.509 in general), `kSecImportItemCertChain`, `kSecImportItemLabel` and
///     `kSecImportItemKeyID` (the SHA-1 hash of the public key). The array is empty if the file has no private key with a matching
///     certificate.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` if the password is wrong; `errSecDecode` if the
///   data is not a PKCS#12 file, is damaged or requires more than a few seconds of work;
///   `errSecUnimplemented` for old ciphers; the status of `SecItemAdd` if an item could not be
///   added.
@discardableResult
public func SecPKCS12Import(
  _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  let parameters = SecKeyParameters(options)
  let identities: [(identity: SecIdentity, label: String?, chain: [SecCertificate])]
  do {
    let password = PKCS12Password(parameters[kSecImportExportPassphrase] as? String ?? "")
    identities = try PKCS12(pkcs12_data as Data, password: password).identities
  } catch {
    let (status, reason) = FailureReasons.note(error)
    if let reason { Keychain.logger.debug("SecPKCS12Import: \(status). \(reason)") }
    return status
  }
  FailureReasons.forget()
  items.pointee =
    identities.map { identity, label, chain -> [String: Any] in
      var item: [String: Any] = [
        kSecImportItemIdentity as String: identity, kSecImportItemCertChain as String: chain,
        kSecImportItemKeyID as String: identity.certificate.publicKeyHash,
        kSecImportItemTrust as String: SecTrust(chain, [SecPolicyCreateBasicX509()]),
      ]
      item[kSecImportItemLabel as String] = label
      return item
    } as CFArray
  guard parameters.flag(kSecUseDataProtectionKeychain) == true else { return errSecSuccess }
  var attributes = parameters.values
  attributes[kSecImportExportPassphrase as String] = nil
  attributes[kSecImportToMemoryOnly as String] = nil
  var result = errSecSuccess
  func add(_ itemClass: CFString, _ object: AnyObject) {
    attributes[kSecClass as String] = itemClass
    attributes[kSecValueRef as String] = object
    let status = SecItemAdd(attributes as CFDictionary, nil)
    if status != errSecSuccess && status != errSecDuplicateItem { result = status }
  }
  for (identity, _, chain) in identities {
    add(kSecClassIdentity, identity)
    for certificate in chain { add(kSecClassCertificate, certificate) }
  }
  return result
}
