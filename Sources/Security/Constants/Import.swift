import Foundation

// The options and results of importing a PKCS#12 file.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// The file's password: a string.
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// The keychain file to import into, on macOS.
public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// The initial access list of an imported key, on macOS.
public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// A Boolean value that is true if the import stores nothing in the keychain.
public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"
/// The name of an imported item: a string.
public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The key identifier of an imported item, often a hash of the public key: data.
public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// The trust object of an imported certificate.
public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The certificate chain of an imported identity: an array.
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// The imported ``SecIdentity``.
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
