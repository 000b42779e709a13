import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import AtRestSecKey
import Foundation

/// Performs requests on a keychain.
struct ItemStore {
  let keychain: Keychain

  init(_ keychain: Keychain) { self.keychain = keychain }

  // MARK: Adding

  func add(_ request: ItemRequest) throws -> CFTypeRef? {
    guard let items = request.items else { return try addOne(request) }
    let found = try keychain.together {
      try items.map { try addOne(request.forItem($0)) }
    }
    return request.returns.isEmpty ? nil : found.compactMap { $0 } as NSArray
  }

  private func addOne(_ request: ItemRequest) throws -> CFTypeRef? {
    switch request.reference {
    case .identity(let identity): return try addIdentity(identity, request)
    case .key(let key):
      try request.expect(.items(.key))
      return try addKey(key, request)
    case .certificate(let certificate):
      try request.expect(.items(.certificate))
      try request.check(SecCertificate.ownAttributes, are: certificate.itemAttributes)
      return try certificate.data.withUnsafeBytes {
        try addItem(.certificate, certificate.itemAttributes, $0, request)
      }
    case nil:
      guard case .items(let itemClass) = request.itemClass else {
        throw StatusError(errSecParam, "An identity is added as kSecValueRef.")
      }
      guard itemClass != .key || request.attributes[.tokenID] == nil else {
        throw StatusError(
          errSecParam,
          "A key cannot be imported into the secure element. Create it there with "
            + "SecKeyCreateRandomKey.")
      }
      guard let value = request.value else {
        return try addItem(itemClass, [:], nil, request)
      }
      var known = ItemAttributes()
      if itemClass == .certificate {
        guard let certificate = SecCertificate(data: value) else {
          throw StatusError(errSecParam, "The value is not an X.509 certificate in DER.")
        }
        known = certificate.itemAttributes
        try request.check(SecCertificate.ownAttributes, are: known)
      }
      return try value.withUnsafeBytes { try addItem(itemClass, known, $0, request) }
    }
  }

  /// Adds the key that an object represents.
  ///
  /// The object determines the key's class, type and size. A request with other values is refused.
  func addKey(_ key: SecKey, _ request: ItemRequest) throws -> CFTypeRef? {
    let known = key.itemAttributes
    try request.check(key.ownAttributes, are: known)
    // A second item would bypass the protection of the first.
    if case .stored(let keychain, let reference, _) = key.material {
      _ = try keychain.addedItem(reference)
      throw AtRestError(
        .duplicate, "The key is already in the keychain.", remedy: "Update its item instead.")
    }
    guard key.isExportable || !request.returns.contains(.data) else {
      throw StatusError(errSecDataNotAvailable)
    }
    var isHardwareKey = false
    if case .hardware = key.material { isHardwareKey = true }
    return try key.withItemValue {
      try addItem(.key, known, $0, isHardwareKey: isHardwareKey, request)
    }
  }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - known: The attributes that the key or certificate determines. The caller may omit them.
  ///   - isHardwareKey: True for a key of the device's hardware, whose item is bound to the device
  ///     even if the request gives a migratable accessibility.
  func addItem(
    _ itemClass: ItemClass, _ known: ItemAttributes, _ value: UnsafeRawBufferPointer?,
    isHardwareKey: Bool = false, _ request: ItemRequest
  ) throws -> CFTypeRef? {
    let all = known.merging(request.attributes)
    var key = ItemAttributes()
    for attribute in itemClass.primaryKeyAttributes { key[attribute] = all[attribute] }
    let protection = request.protection(
      default: itemClass == .certificate ? .always : .whenUnlocked)
    let primaryKey = try PrimaryKey(
      itemClass, key, group: request.group, synchronizable: request.synchronizable == .yes)
    let bound = isHardwareKey ? protection.thisDeviceOnly : protection
    DefaultKeychain.tellOfMissingPasscode(keychain)
    guard !request.returns.isSubset(of: .persistentReference) else {
      let reference = try keychain.add(
        primaryKey, value: value, attributes: all, protection: bound, isHardwareKey: isHardwareKey,
        context: request.context)
      return request.returns.isEmpty ? nil : reference.data as NSData
    }
    let item = try keychain.addItem(
      primaryKey, value: value, attributes: all, protection: bound, isHardwareKey: isHardwareKey,
      context: request.context)
    // An addition returns an empty value for none, and a search returns nothing.
    let returned = value.map { Data($0) } ?? (request.returns == .data ? Data() : nil)
    return try shape(
      item, request, value: request.returns.contains(.data) ? returned : nil,
      reference: { try object(of: item, value, request) })
  }

  // MARK: Finding

  func copy(_ request: ItemRequest) throws -> CFTypeRef? {
    var request = request
    // Apple's keychain adds the attributes to a dictionary with the value.
    if request.returns.isStrictSuperset(of: .data) { request.returns.insert(.attributes) }
    do {
      return try found(request)
    } catch let error as AtRestError
      where request.interaction == .skip && error.code == .interactionNotAllowed
    {
      throw StatusError(errSecItemNotFound, "An item was skipped. \(error.description)")
    }
  }

  private func found(_ request: ItemRequest) throws -> CFTypeRef? {
    if let reference = request.persistentReference { return try copy(reference, request) }
    if request.requestedClass == .identity { return try copyIdentities(request) }
    let query = try request.query(limit: request.limit ?? 1)
    // A query for one item by its primary key in one group takes a shorter path. In several groups,
    // the first item may be locked and the next open.
    if query.limit == 1, !request.filter.isSelective, !keychain.identity.isOwner,
      let key = request.primaryKey, key.group != nil || keychain.identity.accessGroups.count == 1
    {
      if request.returns == .data { return try copyValue(of: key, request) }
      let item = try keychain.item(
        for: key, secrets: request.returns.contains(.data), context: request.context)
      return try shape(item, request)
    }
    let items = try find(query, request)
    let shaped = try items.compactMap { try shape($0, request) }
    if query.limit == 1 { return shaped.first }
    return shaped as NSArray
  }

  /// Finds the items that match a query.
  ///
  /// - Throws: ``StatusError`` with `errSecItemNotFound` if nothing matches.
  private func find(_ query: KeychainQuery, _ request: ItemRequest) throws -> [KeychainItem] {
    try request.filter.check(.items(query.itemClass))
    var unfiltered = query
    if request.filter.isSelective { unfiltered.limit = nil }
    let found = try keychain.items(
      matching: unfiltered,
      secrets: request.returns.contains(.data) || request.filter.opensCertificates,
      context: request.context)
    var withheld = found.withheld.map(\.reason)
    var items = Array(found)
    if request.filter.isSelective {
      items = Array(
        try items.filter { try isMatch($0, request, &withheld) }.prefix(query.limit ?? .max))
    }
    try check(items.count, limit: query.limit, withheld: withheld)
    return items
  }

  /// Throws if a search found nothing, or left out items without which its result is wrong.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of items, or nil for all.
  ///   - withheld: The reasons why items were left out.
  /// - Throws: The reason why an item was left out, or ``StatusError`` with `errSecItemNotFound`.
  func check(_ count: Int, limit: Int?, withheld: [AtRestError]) throws {
    // Leaving out a locked item would make it look as if it did not exist.
    if count < limit ?? .max, let locked = withheld.first(where: { $0.refusal == .locked }) {
      throw locked
    }
    guard count == 0 else { return }
    // A search may skip an item that needs the user, but not a damaged one.
    if let first = withheld.first(where: { $0.code != .interactionNotAllowed }) ?? withheld.first {
      throw first
    }
    throw StatusError(errSecItemNotFound)
  }

  /// Returns true if an item meets the `kSecMatch…` conditions of a request.
  ///
  /// - Parameter withheld: The function appends the reasons why it cannot decide, and returns false.
  func isMatch(
    _ item: KeychainItem, _ request: ItemRequest, _ withheld: inout [AtRestError]
  ) throws -> Bool {
    var hidden: [AtRestError] = []
    let isMatch = try request.filter.matches(item) { issuer in
      let parents = KeychainQuery(
        .certificate, [.subject: .data(issuer)], group: request.group, synchronizable: .any)
      do {
        let found = try keychain.items(matching: parents)
        hidden += found.withheld.map(\.reason)
        return found.compactMap {
          guard case .data(let issuer) = $0.attributes[.issuer] else { return nil }
          return issuer
        }
      } catch let error as AtRestError where [.locked, .damaged].contains(error.refusal) {
        hidden.append(error)
        return []
      }
    }
    if !isMatch { withheld += hidden }
    return isMatch
  }

  private func copyValue(of key: PrimaryKey, _ request: ItemRequest) throws -> CFTypeRef? {
    do {
      return try keychain.secret(for: key, context: request.context).withUnsafeBytes {
        NSData(bytes: $0.baseAddress, length: $0.count)
      }
    } catch AtRestError.Code.notFound {
      // The item may exist without a value.
      _ = try keychain.item(for: key, context: request.context)
      return nil
    }
  }

  private func copy(_ reference: PersistentItemReference, _ request: ItemRequest) throws
    -> CFTypeRef?
  {
    try request.expect(reference)
    let found: CFTypeRef?
    switch reference {
    case .identity(let certificate):
      try request.filter.check(.identity)
      let item = try keychain.item(for: certificate, secrets: true, context: request.context)
      try checkMatch(item, request)
      found = try shapeIdentity(item, request)
    case .item(let reference):
      if let itemClass = reference.itemClass { try request.filter.check(.items(itemClass)) }
      let item = try keychain.item(
        for: reference,
        secrets: request.returns.contains(.data) || request.filter.opensCertificates,
        context: request.context)
      try checkMatch(item, request)
      found = try shape(item, request)
    }
    guard let limit = request.limit, limit != 1 else { return found }
    return (found.map { [$0] } ?? []) as NSArray
  }

  /// Throws if an item does not meet the `kSecMatch…` conditions of a request.
  private func checkMatch(_ item: KeychainItem, _ request: ItemRequest) throws {
    var withheld: [AtRestError] = []
    let isMatch = try isMatch(item, request, &withheld)
    try check(isMatch ? 1 : 0, limit: 1, withheld: withheld)
  }

  // MARK: Changing

  func update(_ request: ItemRequest, _ changes: ItemRequest) throws {
    if let group = changes.group { try keychain.identity.check(group) }
    let change = ItemChange(
      attributes: changes.attributes, protection: changes.newProtection, group: changes.group,
      synchronizable: changes.synchronizable.map { $0 == .yes })
    let secret = changes.value.map { SecretBox(SecretBytes($0)) }
    if secret != nil { DefaultKeychain.tellOfMissingPasscode(keychain) }
    if let reference = request.persistentReference {
      try request.expect(reference)
      switch reference {
      case .item(let item) where request.hasConditions:
        return try keychain.update(
          matching: request.query(for: item), change, secret: secret, context: request.context)
      case .item(let item), .identity(let item):
        try request.refuseConditionsOfIdentity()
        return try keychain.update(item, change, secret: secret, context: request.context)
      }
    }
    if request.requestedClass == .identity {
      return try updateIdentities(request, change, secret)
    }
    try keychain.update(
      matching: request.query(limit: 0), change, secret: secret, context: request.context)
  }

  // MARK: Deleting

  func delete(_ request: ItemRequest) throws {
    if let reference = request.persistentReference {
      try request.expect(reference)
      switch reference {
      case .item(let item) where request.hasConditions:
        guard try keychain.delete(matching: request.query(for: item)) > 0 else {
          throw StatusError(errSecItemNotFound)
        }
        return
      case .item(let item): return try keychain.delete(item)
      case .identity(let certificate):
        try request.refuseConditionsOfIdentity()
        return try deleteIdentity(
          keychain.item(for: certificate, secrets: false, context: nil))
      }
    }
    if request.requestedClass == .identity { return try deleteIdentities(request) }
    let count =
      if let key = request.primaryKey, !keychain.identity.isOwner {
        try delete(key)
      } else {
        try keychain.delete(matching: request.query(limit: 0))
      }
    guard count > 0 else { throw StatusError(errSecItemNotFound) }
  }

  /// Deletes an item by its primary key, even if the item is locked. Returns the number of deleted
  /// items, which can exceed one if the key contains no group.
  private func delete(_ key: PrimaryKey) throws -> Int {
    if key.group != nil {
      try keychain.delete(key)
      return 1
    }
    return try keychain.together {
      var count = 0
      for group in keychain.identity.accessGroups {
        var key = key
        key.group = group
        do {
          try keychain.delete(key)
          count += 1
        } catch AtRestError.Code.notFound {
          continue
        }
      }
      return count
    }
  }
}

extension ItemRequest {
  /// The class that the request names, or that its reference implies.
  var requestedClass: RequestedClass? { itemClass ?? reference?.itemClass }

  /// Throws if the request names another class.
  func expect(_ wanted: RequestedClass) throws {
    guard itemClass ?? wanted == wanted else {
      throw StatusError(errSecNoSuchAttr, "kSecClass contradicts the object in kSecValueRef.")
    }
  }

  /// Throws if the request contains one of the attributes with a value that contradicts the object.
  func check(_ own: [ItemAttribute], are known: ItemAttributes) throws {
    for attribute in own {
      guard let told = attributes[attribute] else { continue }
      guard told == known[attribute] else {
        throw StatusError(
          errSecParam, "The value of \(attribute.rawValue) contradicts the object. Leave it out.")
      }
    }
  }

  /// Throws if the request names a class, and the reference is to an item of another class.
  func expect(_ reference: PersistentItemReference) throws {
    guard let wanted = itemClass else { return }
    switch (reference, wanted) {
    case (.identity, .identity): return
    case (.item(let item), .items(let named)) where item.itemClass == named: return
    default:
      throw StatusError(errSecNoSuchClass, "kSecClass contradicts kSecValuePersistentRef.")
    }
  }

  /// Returns the query for the items of a class, which is the requested class by default.
  ///
  /// - Parameter limit: The maximum number of items. 0 means all.
  func query(_ itemClass: ItemClass? = nil, limit: Int) throws -> KeychainQuery {
    var wanted = attributes
    switch reference {
    case .key(let key):
      try expect(.items(.key))
      let known = key.itemAttributes
      for attribute in [ItemAttribute.keyClass, .applicationLabel] {
        wanted[attribute] = known[attribute]
      }
    case .certificate(let certificate):
      try expect(.items(.certificate))
      let known = certificate.itemAttributes
      for attribute in [ItemAttribute.issuer, .serialNumber] {
        wanted[attribute] = known[attribute]
      }
    case .identity, nil: break
    }
    guard let itemClass = itemClass ?? requestedClass?.stored else {
      throw StatusError(errSecParam, "kSecClass is missing.")
    }
    return KeychainQuery(
      itemClass, wanted, accessibility: accessibility, group: group,
      synchronizable: synchronizable ?? .no, limit: limit == 0 ? nil : limit)
  }

  /// Returns the query for the item with a persistent reference, which has to match the other conditions
  /// too. The item is found even if it is synchronizable.
  fileprivate func query(for reference: PersistentReference) throws -> KeychainQuery {
    var query = try query(reference.itemClass, limit: 0)
    query.synchronizable = synchronizable ?? .any
    query.reference = reference
    return query
  }

  fileprivate func refuseConditionsOfIdentity() throws {
    guard !hasConditions else {
      throw StatusError(
        errSecParam, "The persistent reference of an identity is combined with attributes.")
    }
  }

  /// The primary key, or nil if the request contains only a part of it, or other conditions.
  var primaryKey: PrimaryKey? {
    guard case .items(let itemClass) = itemClass, reference == nil,
      accessibility == nil, accessControl == nil, synchronizable != .any,
      attributes.count == itemClass.primaryKeyAttributes.count,
      itemClass.primaryKeyAttributes.allSatisfy({ attributes[$0] != nil })
    else { return nil }
    return try? PrimaryKey(
      itemClass, attributes, group: group, synchronizable: synchronizable == .yes)
  }

  /// The protection that an update sets, or nil if the update does not change the protection.
  fileprivate var newProtection: ItemProtection? {
    accessControl?.protection ?? accessibility.map { .accessible($0) }
  }

  /// Returns the request that adds one item of a list.
  fileprivate func forItem(_ item: Any) throws -> ItemRequest {
    var one: ItemRequest
    if let dictionary = item as? NSDictionary {
      one = try ItemRequest(dictionary, as: .add)
      one.returns = returns
    } else {
      guard let reference = ItemReference(item) else {
        throw ItemRequest.wrongType(
          item, "u_ItemList", "an array of dictionaries, keys, certificates and identities")
      }
      one = self
      one.items = nil
      one.reference = reference
      one.itemClass = nil
    }
    guard one.items == nil else {
      throw StatusError(errSecParam, "kSecUseItemList contains another kSecUseItemList.")
    }
    return one
  }
}

extension RequestedClass {
  /// The class of the stored items, or nil for identities, which are not stored as items.
  fileprivate var stored: ItemClass? {
    if case .items(let itemClass) = self { itemClass } else { nil }
  }
}
