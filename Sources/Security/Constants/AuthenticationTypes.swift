import Foundation

// How internet passwords are presented: the values of `kSecAttrAuthenticationType`.
// Unsafe to the compiler alone: literals never change.

/// Windows NT LAN Manager.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// The Microsoft Network's default.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// Distributed password authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// Remote password authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// HTTP's basic scheme.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// HTTP's digest scheme.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// A form on a page.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// Whatever the protocol does by default.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
