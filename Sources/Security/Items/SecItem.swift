// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation
import Logging

/// Adds one or more items to the keychain.
///
/// ```swift
/// let item: [String: Any] = [
///   kSecClass as String: kSecClassGenericPassword,
///   kSecAttrService as String: "com.example.api",
///   kSecAttrAccount as String: "eva",
///   kSecValueData as String: Data("s3cr3t".utf8),
/// ]
/// let status = SecItemAdd(item as CFDictionary, nil)
/// ```
///
/// - Parameters:
///   - attributes: The class, attributes and value of the item, and the results to return. To add
///     several items, set `kSecUseItemList` to an array of dictionaries, keys, certificates or
///     identities. If one of them cannot be added, none is added.
///   - result: Receives the requested results. Not changed if the call fails.
/// - Returns: `errSecSuccess`; `errSecNotAvailable` if the store cannot be opened;
///   `errSecDuplicateItem` if the item already exists; `errSecInteractionNotAllowed` while items
///   with this accessibility are locked; `errSecMissingEntitlement` if the access group is not one
///   of the application's groups; `errSecAuthFailed` if the protection needs a passcode that is not
///   set, or biometry that the device does not have; `errSecDecode` for a number that has a fraction or
///   is too large, as in Apple's keychain; `errSecNoSuchAttr`, `errSecNoSuchClass` or `errSecParam` if
///   the dictionary does not describe an item.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  perform("SecItemAdd", .add, attributes) { store, request, _ in
    let found = try store.add(request)
    if found != nil || !request.returns.isEmpty { result?.pointee = found }
  }
}

/// Finds items.
///
/// ```swift
/// let query: [String: Any] = [
///   kSecClass as String: kSecClassGenericPassword,
///   kSecAttrService as String: "com.example.api",
///   kSecAttrAccount as String: "eva",
///   kSecReturnData as String: true,
/// ]
/// var result: CFTypeRef?
/// let status = SecItemCopyMatching(query as CFDictionary, &result)
/// ```
///
/// - Parameters:
///   - query: The class, the attributes to match, the maximum number of items (`kSecMatchLimit`,
///     one by default), and the results to return.
///   - result: Receives the requested results. A single kind of result is returned by itself, and
///     several kinds are returned in a dictionary. If the limit is not one, the results are
///     returned in an array, even if only one item matches. Not changed if the call fails. With
///     nil, the status alone says whether the items can be read.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if no item matches; `errSecNotAvailable` if the
///   store cannot be opened; `errSecInteractionNotAllowed` if the item is locked, or if the user
///   would have to be asked but interaction is not allowed; `errSecUserCanceled` if the user
///   dismisses the prompt; `errSecAuthFailed` if the user cannot be authenticated;
///   `errSecMissingEntitlement` if the access group is not one of the application's groups;
///   `errSecDecode` if the stored item was modified, or if a number in the query has a fraction or is
///   too large; `errSecUnimplemented` for a `kSecMatch…`
///   filter that this module does not support; `errSecDataNotAvailable` for the value of a key that
///   cannot be exported; `errSecNoSuchAttr`, `errSecNoSuchClass` or `errSecParam` if the dictionary
///   is not a valid query.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  perform("SecItemCopyMatching", .copy, query) { store, request, _ in
    let found = try store.copy(request)
    // A result can be nil: a password has no reference, and an item may have no value.
    if found != nil || !request.returns.isEmpty { result?.pointee = found }
  }
}

/// Updates all items that match a query. If one of them cannot be updated, none is updated.
///
/// - Parameters:
///   - query: A query as in ``SecItemCopyMatching(_:_:)``, without a limit and without results to
///     return.
///   - attributesToUpdate: The attributes and the value to set. No attribute can be removed.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if no item matches; `errSecDuplicateItem` if
///   the updated item would have the primary key of an existing item; `errSecNoSuchAttr` for a key
///   of `attributesToUpdate` that is not an attribute; or another code of
///   ``SecItemCopyMatching(_:_:)``.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  perform("SecItemUpdate", .update, query, attributesToUpdate) { store, request, changes in
    if let changes { try store.update(request, changes) }
  }
}

/// Deletes all items that match a query. The user is not asked.
///
/// - Parameter query: A query as in ``SecItemCopyMatching(_:_:)``, without a limit other than
///   `kSecMatchLimitAll`.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if no item matches;
///   `errSecInteractionNotAllowed` if it cannot be determined whether a locked item matches; or
///   another code of ``SecItemCopyMatching(_:_:)``.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  perform("SecItemDelete", .delete, query) { store, request, _ in try store.delete(request) }
}

/// Reads the dictionaries of a call, finds its keychain, and performs it.
private func perform(
  _ function: String, _ role: ItemRequest.Role, _ query: CFDictionary,
  _ changes: CFDictionary? = nil, _ body: (ItemStore, ItemRequest, ItemRequest?) throws -> Void
) -> OSStatus {
  var status = errSecSuccess
  var reason: String?
  LentObjects.removeUnused()
  // A context that was created on a simulated device leads to this device from any thread. The route
  // is chosen before the call runs, because the device may have ended its run when the call returns.
  let route = DefaultKeychain.route(for: query["u_AuthCtx"] as? any AuthenticationContextHolder)
  do {
    let request = try ItemRequest(query, as: role)
    let changes = try changes.map { try ItemRequest($0, as: .changes) }
    try body(ItemStore(keychain(of: route)), request, changes)
    FailureReasons.forget()
  } catch {
    (status, reason) = FailureReasons.note(error)
  }
  // A status code does not say which key is wrong, which group is missing or which items are locked.
  if let reason, status != errSecItemNotFound, status != errSecDuplicateItem {
    Keychain.logger.debug("\(function): \(status). \(reason)")
  }
  if route.source == nil && !route.isStray { return status }
  route.record(
    KeychainCall(
      function: function, query: words(query), changes: changes.map(words) ?? [:],
      status: status, reason: reason))
  return status
}

private func keychain(of route: DefaultKeychain.Route) throws -> Keychain {
  do {
    return try route.keychain()
  } catch {
    // If the store cannot be opened, it is not known whether the item exists.
    throw StatusError(errSecNotAvailable, (error as? AtRestError)?.description ?? "\(error)")
  }
}

/// Returns a dictionary as text, without the values of items.
private func words(_ dictionary: CFDictionary) -> [String: String] {
  var words: [String: String] = [:]
  for (key, value) in dictionary {
    let name = key as? String ?? "\(type(of: key))"
    words[name] =
      switch value {
      case let data as Data: "(\(data.count) bytes)"
      // A value of the wrong type is still a secret.
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
