import Foundation

// The values of `kSecAttrAuthenticationType`, which say how an internet password is presented.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// Windows NT LAN Manager authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"
/// The Microsoft Network's default authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeMSN: CFString = "msna"
/// Distributed Password Authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"
/// Remote Password Authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"
/// HTTP Basic authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
/// HTTP Digest authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
/// A form on a web page.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
/// The protocol's default authentication.
public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
