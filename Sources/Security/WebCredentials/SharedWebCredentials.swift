// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestKeychain
import Foundation

// Shared web credentials. On Apple's platforms they are shared with Safari and iCloud, and the user
// confirms their use. Here they are internet passwords of the application's default access group, and
// nobody is asked.

/// Adds, changes or removes the password of an account of a website.
///
/// - Parameters:
///   - fqdn: The domain name of the website.
///   - account: The account.
///   - password: The password, or nil to remove it.
///   - completionHandler: Called once on a queue of this module, with nil or an error with the
///     status of `SecItemAdd`, `SecItemUpdate` or `SecItemDelete`.
@preconcurrency
public func SecAddSharedWebCredential(
  _ fqdn: CFString, _ account: CFString, _ password: CFString?,
  _ completionHandler: @escaping @Sendable (CFError?) -> Void
) {
  let query = webQuery(fqdn, account)
  let status: OSStatus
  if let password {
    let value: [CFString: Any] = [kSecValueData: Data((password as String).utf8)]
    let label: [CFString: Any] = [
      kSecAttrLabel: "\(fqdn) (\(account))", kSecAttrDescription: "Web form password",
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
    ]
    let all = query.merging(value) { $1 }.merging(label) { $1 }
    let added = SecItemAdd(all as CFDictionary, nil)
    status =
      added == errSecDuplicateItem
      ? SecItemUpdate(query as CFDictionary, value as CFDictionary) : added
  } else {
    status = SecItemDelete(query as CFDictionary)
  }
  let failure = error(status)
  reply { completionHandler(failure) }
}

/// Finds the passwords of websites.
///
/// - Parameters:
///   - fqdn: The domain name of the website, or nil for all.
///   - account: The account, or nil for all.
///   - completionHandler: Called once on a queue of this module, with an array of dictionaries with
///     the keys `kSecAttrServer`, `kSecAttrAccount` and `kSecSharedPassword`, or with an empty array
///     and an error with the status of `SecItemCopyMatching`.
@preconcurrency
public func SecRequestSharedWebCredential(
  _ fqdn: CFString?, _ account: CFString?,
  _ completionHandler: @escaping @Sendable (CFArray?, CFError?) -> Void
) {
  let query = webQuery(fqdn, account).merging([
    kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true, kSecReturnData: true,
  ]) { $1 }
  var result: CFTypeRef?
  let status = SecItemCopyMatching(query as CFDictionary, &result)
  let found = (result as? [[String: Any]] ?? []).map { item -> [String: String] in
    var credential: [String: String] = [:]
    for key in [kSecAttrServer as String, kSecAttrAccount as String] {
      credential[key] = item[key] as? String
    }
    let value = item[kSecValueData as String] as? Data ?? Data()
    credential[kSecSharedPassword as String] = String(decoding: value, as: UTF8.self)
    return credential
  }
  let failure = error(status)
  reply { completionHandler(found as NSArray, failure) }
}

/// Returns a random password, such as `cup-9nR-K4e-wdp`, of 12 letters and digits that are easy to
/// distinguish. It has about 68 bits of entropy.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
  let letters = Array("abcdefghkmnopqrstuvwxyABCDEFGHJKLMNPQRSTUVWXYZ3456789")
  let groups = (0..<4).map { _ in String((0..<3).map { _ in letters.randomElement()! }) }
  return groups.joined(separator: "-") as NSString
}

/// The password in a result of ``SecRequestSharedWebCredential(_:_:_:)``.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"

private func webQuery(_ fqdn: CFString?, _ account: CFString?) -> [CFString: Any] {
  var query: [CFString: Any] = [
    kSecClass: kSecClassInternetPassword, kSecAttrProtocol: kSecAttrProtocolHTTPS,
    kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTMLForm,
  ]
  if let fqdn { query[kSecAttrServer] = fqdn }
  if let account { query[kSecAttrAccount] = account }
  return query
}

private let queue = DispatchQueue(label: "atrest.web-credentials", attributes: .concurrent)

/// Calls a closure on a queue. Its keychain calls use the same simulated device as the caller.
private func reply(_ body: @escaping @Sendable () -> Void) {
  let device = DefaultKeychain.taskSource
  queue.async { DefaultKeychain.$taskSource.withValue(device, operation: body) }
}

/// Returns the error of a status. Call this on the thread of the failed call, which knows the reason.
private func error(_ status: OSStatus) -> CFError? {
  guard status != errSecSuccess else { return nil }
  let reason = SecCopyFailureReasonString(status) ?? SecCopyErrorMessageString(status, nil)
  return NSError(
    domain: NSOSStatusErrorDomain, code: Int(status),
    userInfo: [NSLocalizedDescriptionKey: reason as String? ?? ""])
}
