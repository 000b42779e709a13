import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// Refusing combinations of keys that a call does not accept.
extension ItemRequest {
  /// - Throws: ``StatusError`` with `errSecParam` and the reason.
  func check(_ role: Role) throws {
    try checkProtection(isSetting: role == .add || role == .changes)
    if role == .changes {
      // The token that holds a key never changes.
      return try refuse(attributes[.tokenID] != nil, "The attribute tkid cannot be changed.")
    }
    try refuse(
      interaction == .skip && role != .copy,
      "kSecUseAuthenticationUISkip is allowed only in SecItemCopyMatching.")
    try refuse(
      items != nil && role != .add, "kSecUseItemList is allowed only in SecItemAdd.")
    switch role {
    case .add:
      try refuse(persistentReference != nil, "SecItemAdd does not accept kSecValuePersistentRef.")
      try refuse(limit != nil, "SecItemAdd does not accept kSecMatchLimit.")
    case .update:
      try refuse(!returns.isEmpty, "SecItemUpdate does not accept kSecReturn keys.")
      try refuse(
        limit != nil, "SecItemUpdate does not accept kSecMatchLimit. It updates all matches.")
      try refuse(!filter.isEmpty, "SecItemUpdate does not accept kSecMatch keys.")
    case .delete:
      // iOS refuses any limit, and macOS ignores it and deletes all matches. Code for both passes the
      // limit for all.
      try refuse(
        limit ?? 0 != 0,
        "SecItemDelete does not accept a kSecMatchLimit other than kSecMatchLimitAll. "
          + "It deletes all matches.")
      try refuse(!filter.isEmpty, "SecItemDelete does not accept kSecMatch keys.")
    case .copy, .changes: break
    }
    try refuse(
      role == .copy && persistentReference != nil && hasConditions,
      "A search with kSecValuePersistentRef contains no attributes.")
    try refuse(
      itemClass == nil && reference == nil && persistentReference == nil && items == nil,
      "kSecClass is missing.")
  }

  private func checkProtection(isSetting: Bool) throws {
    guard let protection = accessControl?.protection else { return }
    if let accessibility {
      // The attributes of every returned item include both an accessibility and an access control.
      // A query that contains both finds the item again. A call that sets attributes may contain
      // both only if they mean the same.
      try refuse(
        isSetting
          ? protection != .accessible(accessibility) : protection.accessibility != accessibility,
        "kSecAttrAccessible contradicts kSecAttrAccessControl. Pass only one of them.")
    }
    // Every item is returned with an access control, which for most items only repeats the
    // accessibility. Only an access control with flags excludes synchronization.
    try refuse(
      isSetting && protection.accessControl != nil && synchronizable == .yes,
      "A synchronizable item cannot have an access control.")
  }

  /// True if the items have to match more than a class and a persistent reference.
  var hasConditions: Bool {
    attributes.count > 0 || group != nil || ![nil, .any].contains(synchronizable)
      || accessibility != nil || reference != nil
  }

  private func refuse(_ isWrong: Bool, _ reason: @autoclosure () -> String) throws {
    if isWrong { throw StatusError(errSecParam, reason()) }
  }
}
