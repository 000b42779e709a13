import AtRestCrypto
import Foundation

/// Reads the identities of a PKCS#12 file.
///
/// Nothing is believed about the certificates: there is no evaluation of trust, and no
/// `kSecImportItemTrust` in the result.
///
/// - Parameters:
///   - pkcs12_data: The file. Contents under AES (PBES2) are read; those under 3DES, RC2 and RC4, as
///     older exporters write them, are not.
///   - options: `kSecImportExportPassphrase`, without which the password is empty. With
///     `kSecUseDataProtectionKeychain`, identities and the certificates of their chains are added to
///     the keychain, with what else the options say of items; those that exist already stay.
///   - items: Receives an array of dictionaries: `kSecImportItemIdentity`, `kSecImportItemCertChain`,
///     `kSecImportItemLabel`, `kSecImportItemKeyID` (the SHA-1 of the public key). Empty where the
///     file has no private key with its certificate.
/// - Returns: `errSecAuthFailed` for another password, `errSecDecode` for what is no such file,
///   damaged, or asks for more than some seconds of work, `errSecUnimplemented` for old ciphers; what
///   `SecItemAdd` returned.
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
    return (error as? StatusError)?.status ?? OSStatus(of: error)
  }
  items.pointee =
    identities.map { identity, label, chain -> [String: Any] in
      var item: [String: Any] = [
        kSecImportItemIdentity as String: identity, kSecImportItemCertChain as String: chain,
        kSecImportItemKeyID as String: identity.certificate.publicKeyHash,
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
