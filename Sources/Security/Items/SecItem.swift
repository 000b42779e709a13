import AtRestCrypto
import AtRestKeychain
import Foundation
import Logging

/// Adds an item to the keychain, or several.
///
/// - Parameters:
///   - attributes: The class, attributes and value of the item; what to return of it. With
///     `kSecUseItemList` an array of dictionaries, or of keys, certificates and identities, which
///     are added all or none.
///   - result: Receives what was asked for; untouched where the call fails.
/// - Returns: `errSecSuccess`; `errSecNotAvailable` where the store does not open;
///   `errSecDuplicateItem`; `errSecInteractionNotAllowed` while the class is locked; `errSecMissingEntitlement` for an access group that the application does not own;
///   `errSecAuthFailed` where the protection needs a passcode or biometry that is not set up;
///   `errSecNoSuchAttr`, `errSecNoSuchClass`, `errSecParam` for what makes no item.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  perform("SecItemAdd", attributes) { keychain in
    let found = try ItemStore(keychain).add(ItemRequest(attributes, as: .add))
    if let found { result?.pointee = found }
  }
}

/// Finds items.
///
/// - Parameters:
///   - query: The class and what the attributes must be; how many at most (`kSecMatchLimit`, one
///     unless it is said otherwise); what to return of them.
///   - result: Receives what was asked for: one type of it bare, several in a dictionary, and with a
///     limit above one in an array. Untouched where the call fails.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecInteractionNotAllowed` where the item is
///   locked, or would have to ask and may not; `errSecUserCanceled` and `errSecAuthFailed` where it
///   asked; `errSecMissingEntitlement`; `errSecDecode` where what is stored was changed;
///   `errSecDataNotAvailable` for the value of a key that cannot be exported; `errSecNoSuchAttr`,
///   `errSecNoSuchClass`, `errSecParam` for what is no query.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  perform("SecItemCopyMatching", query) { keychain in
    let request = try ItemRequest(query, as: .copy)
    guard result != nil || request.returns.isEmpty else { throw StatusError(errSecParam) }
    let found = try ItemStore(keychain).copy(request)
    if let found { result?.pointee = found }
  }
}

/// Changes every item that a query matches, or none.
///
/// - Parameters:
///   - query: As for ``SecItemCopyMatching(_:_:)``, without limit and without anything to return.
///   - attributesToUpdate: Attributes and value to set. `NSNull` takes an attribute away.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecDuplicateItem` where the change makes it
///   another item that exists; otherwise as ``SecItemCopyMatching(_:_:)``.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  perform("SecItemUpdate", query, attributesToUpdate) { keychain in
    try ItemStore(keychain).update(
      ItemRequest(query, as: .update), ItemRequest(attributesToUpdate, as: .changes))
  }
}

/// Deletes every item that a query matches. Asks nobody.
///
/// - Parameter query: As for ``SecItemCopyMatching(_:_:)``, without limit.
/// - Returns: `errSecSuccess`; `errSecItemNotFound`; `errSecInteractionNotAllowed` where it cannot be
///   told whether a locked item matches; otherwise as ``SecItemCopyMatching(_:_:)``.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  perform("SecItemDelete", query) { keychain in
    try ItemStore(keychain).delete(ItemRequest(query, as: .delete))
  }
}

private func perform(
  _ function: String, _ query: CFDictionary, _ changes: CFDictionary? = nil,
  _ body: (Keychain) throws -> Void
) -> OSStatus {
  var status = errSecSuccess
  var reason: String?
  do {
    let keychain: Keychain
    do {
      keychain = try DefaultKeychain.get()
    } catch {
      // A store that does not open says nothing of the item.
      reason = (error as? AtRestError)?.description
      throw StatusError(errSecNotAvailable)
    }
    try body(keychain)
  } catch let error as StatusError {
    status = error.status
  } catch {
    status = OSStatus(of: error)
    reason = (error as? AtRestError)?.description
  }
  // A status code does not say which group is missing, or which class is locked.
  if let reason, status != errSecItemNotFound, status != errSecDuplicateItem {
    Keychain.logger.debug("\(function): \(status). \(reason)")
  }
  DefaultKeychain.source?.record(
    KeychainCall(
      function: function, query: words(query), changes: changes.map(words) ?? [:],
      status: status, reason: reason))
  return status
}

/// A dictionary in words, without the value of any item.
private func words(_ dictionary: CFDictionary) -> [String: String] {
  var words: [String: String] = [:]
  for (key, value) in dictionary {
    let name = key as? String ?? "\(type(of: key))"
    words[name] =
      switch value {
      case let data as Data: "(\(data.count) bytes)"
      // Also where it has the wrong type it is a secret.
      case _ where name == "v_Data": "(no data)"
      case let text as String: text
      case let number as NSNumber: number.isBoolean ? "\(number.boolValue)" : "\(number)"
      case let date as Date: date.formatted(.iso8601)
      case let object as SecAccessControl: object.description
      default: "(\(type(of: value)))"
      }
  }
  return words
}
