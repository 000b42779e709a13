import Foundation

// The classes of items.
// Unsafe to the compiler alone: literals never change.

/// The key under which a query names the class of items.
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
