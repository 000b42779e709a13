import Foundation

// The classes of keychain items.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// The class of an item: one of the `kSecClass…` values.
public nonisolated(unsafe) let kSecClass: CFString = "class"
/// A password of any kind.
public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
/// A password for a server.
public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
/// A certificate.
public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
/// A certificate with its private key.
public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
