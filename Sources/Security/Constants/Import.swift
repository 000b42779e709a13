import Foundation

// What the import of PKCS #12 files takes and gives.
// Unsafe to the compiler alone: literals never change.

/// The file's password: a string.
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
/// The keychain file to import into, on macOS.
public nonisolated(unsafe) let kSecImportExportKeychain: CFString = "keychain"
/// The first access list of an imported key, on macOS.
public nonisolated(unsafe) let kSecImportExportAccess: CFString = "access"
/// Whether nothing is stored in the keychain: a Boolean.
public nonisolated(unsafe) let kSecImportToMemoryOnly: CFString = "memory"
/// The name of an imported item: a string.
public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
/// The key identifier of an imported item, often a hash of the public key: data.
public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"
/// The trust in an imported certificate.
public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
/// The certificates that came along: an array.
public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
/// The imported ``SecIdentity``.
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
