// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// A policy by which a certificate would be evaluated. See ``SecTrust``.
public final class SecPolicy: NSObject, @unchecked Sendable {
  // The dictionary never changes.
  let properties: NSDictionary

  init(_ identifier: CFString, _ more: [String: Any] = [:]) {
    properties =
      more.merging([kSecPolicyOid as String: identifier]) { $1 } as NSDictionary
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecPolicy)?.properties == properties
  }
  public override var hash: Int { properties.hash }
}

/// Returns the policy for certificates in general.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(kSecPolicyAppleX509Basic) }

/// Returns the policy for TLS.
///
/// - Parameters:
///   - server: True for the certificate of a server, false for the certificate of a client.
///   - hostname: The name of the server, or nil to accept any name.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
  var more: [String: Any] = [:]
  if !server { more[kSecPolicyClient as String] = true }
  if let hostname { more[kSecPolicyName as String] = hostname }
  return SecPolicy(kSecPolicyAppleSSL, more)
}

/// Returns the policy for checking whether a certificate was revoked.
///
/// - Parameter revocationFlags: The methods of the check, a bit mask.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
  SecPolicy(kSecPolicyAppleRevocation, ["SecPolicyRevocationFlags": revocationFlags])
}

/// Returns a policy by its identifier.
///
/// - Parameters:
///   - policyIdentifier: One of the `kSecPolicyApple…` constants.
///   - properties: The properties of the policy, such as `kSecPolicyName`.
/// - Returns: The policy, or nil if the identifier or a key of the properties is not a string.
public func SecPolicyCreateWithProperties(
  _ policyIdentifier: CFTypeRef, _ properties: CFDictionary?
) -> SecPolicy? {
  guard let identifier = policyIdentifier as? NSString,
    let properties = (properties ?? NSDictionary()) as? [String: Any]
  else { return nil }
  return SecPolicy(identifier, properties)
}

/// Returns the properties of a policy, which include its identifier as `kSecPolicyOid`.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
  policyRef.properties
}

// `nonisolated(unsafe)` is safe here, because literals never change.

/// The policy for certificates in general.
public nonisolated(unsafe) let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// The policy for TLS.
public nonisolated(unsafe) let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// The policy for S/MIME.
public nonisolated(unsafe) let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"
/// The policy for EAP.
public nonisolated(unsafe) let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"
/// The policy for IPsec.
public nonisolated(unsafe) let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"
/// The policy for signed code.
public nonisolated(unsafe) let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"
/// The policy for time stamps.
public nonisolated(unsafe) let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"
/// The policy for revocation.
public nonisolated(unsafe) let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"
/// The property with the identifier of a policy.
public nonisolated(unsafe) let kSecPolicyOid: CFString = "SecPolicyOid"
/// The property with the name of a server.
public nonisolated(unsafe) let kSecPolicyName: CFString = "SecPolicyName"
/// The property of a policy for clients.
public nonisolated(unsafe) let kSecPolicyClient: CFString = "SecPolicyClient"
