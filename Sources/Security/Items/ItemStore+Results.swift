import AtRestCrypto
import AtRestKeychain
import Foundation

/// The results that a caller receives for an item.
extension ItemStore {
  /// Returns the requested results for an item.
  ///
  /// - Parameters:
  ///   - value: The item's value, or nil to use the value that was fetched with the item.
  ///   - reference: Creates the object that represents the item.
  func shape(
    _ item: KeychainItem, _ request: ItemRequest, value: Data? = nil,
    reference: (() throws -> AnyObject?)? = nil
  ) throws -> CFTypeRef? {
    try assemble(
      request.returns,
      data: { value ?? item.withSecret { Data($0) } },
      attributes: { item.dictionary },
      reference: { try reference?() ?? object(of: item, request) },
      persistentReference: { item.reference.data },
      className: item.itemClass.rawValue)
  }

  /// Returns a single kind of result by itself, and several kinds in a dictionary. Returns nil if
  /// none is requested.
  func assemble(
    _ returns: ItemRequest.Returns, data: () -> Data?, attributes: () -> NSMutableDictionary,
    reference: () throws -> AnyObject?, persistentReference: () -> Data, className: String
  ) rethrows -> CFTypeRef? {
    switch returns {
    case []: return nil
    case .data: return data().map { $0 as NSData }
    case .attributes: return attributes()
    case .reference: return try reference()
    case .persistentReference: return persistentReference() as NSData
    default: break
    }
    let all = returns.contains(.attributes) ? attributes() : NSMutableDictionary()
    if returns.contains(.data), let data = data() { all["v_Data"] = data }
    if returns.contains(.reference) {
      all["class"] = className
      if let object = try reference() { all["v_Ref"] = object }
    }
    if returns.contains(.persistentReference) { all["v_PersistentRef"] = persistentReference() }
    return all
  }

  /// Returns the key or certificate that an item holds, or nil for a password.
  func object(of item: KeychainItem, _ request: ItemRequest) throws -> AnyObject? {
    switch item.itemClass {
    case .genericPassword, .internetPassword: return nil
    case .key:
      // A key that stays in the keychain is opened later, for each use.
      let found =
        item.attributes[.keyClass] == 1
          && SecKey.staysInKeychain(item.attributes, item.protection)
        ? item : try keychain.item(for: item.reference, secrets: true, context: request.context)
      return try SecKey.from(item: found, in: keychain, context: request.contextOfUse)
    case .certificate:
      let found = try keychain.item(
        for: item.reference, secrets: true, context: request.context)
      return found.certificate
    }
  }

  /// Returns the object that represents an item that was just added.
  ///
  /// The caller has just passed the value, so the object is created from it if possible. The user
  /// is asked only for a key that was passed as data and has access control.
  func object(of item: KeychainItem, _ value: UnsafeRawBufferPointer?, _ request: ItemRequest)
    throws
    -> AnyObject?
  {
    if case .key(let key) = request.reference, !key.isInSecureElement { return key }
    if item.itemClass == .certificate, let value { return SecCertificate(data: Data(value)) }
    return try object(of: item, request)
  }
}

extension KeychainItem {
  /// The certificate in the item's value, or nil if the value was not fetched or is not a
  /// certificate.
  var certificate: SecCertificate? {
    withSecret { SecCertificate(data: Data($0)) } ?? nil
  }

  /// The attributes in the form that applications receive.
  var dictionary: NSMutableDictionary {
    // Bridging a Swift dictionary would take twice the time.
    let result = NSMutableDictionary(capacity: 16)
    result["agrp"] = group
    result["pdmn"] = protection.accessibility.rawValue
    result["accc"] = SecAccessControl(protection)
    result["sync"] = NSNumber(value: primaryKey.isSynchronizable ? 1 : 0)
    // The public key that is stored with a private key is internal to the store, and Apple has no custom attributes.
    for (attribute, value) in attributes
    where attribute != .publicKey && attribute.customName == nil {
      result[attribute.rawValue] = value.foundation(for: attribute)
    }
    for (attribute, value) in itemClass.defaults where attributes[attribute] == nil {
      result[attribute.rawValue] = value.foundation(for: attribute)
    }
    return result
  }
}
