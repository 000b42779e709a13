import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// Operations on identities.
///
/// An identity is not an item of its own. It consists of a certificate and the private key whose
/// application label is the hash of the certificate's public key.
extension ItemStore {
  func addIdentity(_ identity: SecIdentity, _ request: ItemRequest) throws -> CFTypeRef? {
    try request.expect(.identity)
    return try keychain.together {
      let certificate = identity.certificate
      let isCertificateNew = try addHalf {
        try certificate.data.withUnsafeBytes {
          try addItem(
            .certificate, certificate.itemAttributes, $0, request.half(of: .certificate))
        }
      }
      let isKeyNew = try addHalf {
        try addKey(identity.privateKey, request.half(of: .key))
      }
      guard isCertificateNew || isKeyNew else { throw StatusError(errSecDuplicateItem) }
      guard !request.returns.isEmpty else { return nil }
      let known = certificate.itemAttributes
      var query = KeychainQuery(
        .certificate, group: request.group ?? keychain.identity.defaultGroup,
        synchronizable: request.synchronizable ?? .no, limit: 1)
      for attribute in [ItemAttribute.issuer, .serialNumber] {
        query.attributes[attribute] = known[attribute]
      }
      guard let item = try keychain.items(matching: query, secrets: true).first else {
        throw StatusError(errSecItemNotFound)
      }
      return try shapeIdentity(item, request, key: identity.privateKey)
    }
  }

  /// Adds the certificate or the key of an identity.
  ///
  /// - Returns: True if the item was added, false if it already exists.
  private func addHalf(_ add: () throws -> CFTypeRef?) throws -> Bool {
    do {
      _ = try add()
      return true
    } catch AtRestError.Code.duplicate {
      return false
    }
  }

  func copyIdentities(_ request: ItemRequest) throws -> CFTypeRef? {
    try request.filter.check(.identity)
    let limit = request.limit == 0 ? nil : request.limit ?? 1
    let certificates = try certificates(request)
    var withheld = certificates.withheld.map(\.reason)
    var found: [CFTypeRef?] = []
    for item in certificates {
      do {
        guard try isMatch(item, request, &withheld),
          let shaped = try ifWhole({ try shapeIdentity(item, request) })
        else { continue }
        found.append(shaped)
      } catch let error as AtRestError where [.locked, .damaged].contains(error.refusal) {
        withheld.append(error)
      }
      if found.count == limit { break }
    }
    try check(found.count, limit: limit, withheld: withheld)
    return limit == 1 ? found[0] : found.compactMap { $0 } as NSArray
  }

  /// Calls a closure. Returns nil if the closure finds no key for a certificate, which is therefore
  /// not part of an identity.
  private func ifWhole<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as StatusError where error.status == errSecItemNotFound {
      return nil
    }
  }

  private func certificates(
    _ request: ItemRequest, secrets: Bool = true
  ) throws -> KeychainItems {
    var query: KeychainQuery
    if case .identity(let identity) = request.reference {
      query = try ItemRequest.query(of: identity, request)
    } else {
      query = try request.query(.certificate, limit: 0)
    }
    // `keyItem(of:_:)` compares the attributes that only keys have.
    for (attribute, _) in query.attributes
    where !ItemClass.certificate.attributes.contains(attribute) {
      query.attributes[attribute] = nil
    }
    return try keychain.items(matching: query, secrets: secrets, context: request.context)
  }

  /// Returns the certificates that a request matches, before a change of all of them. Their attributes
  /// suffice for that, so nobody is asked for authentication.
  ///
  /// - Throws: The reason if a certificate does not open, because it may belong to an identity.
  private func allCertificates(_ request: ItemRequest) throws -> KeychainItems {
    let found = try certificates(request, secrets: false)
    if let first = found.withheld.first { throw first.reason }
    return found
  }

  /// Returns the item of the private key that belongs to a certificate.
  ///
  /// - Throws: ``StatusError`` with `errSecItemNotFound` if there is no such key that matches the
  ///   request.
  private func keyItem(of certificate: KeychainItem, _ request: ItemRequest) throws -> KeychainItem
  {
    guard case .data(let hash) = certificate.attributes[.publicKeyHash] else {
      throw StatusError(errSecItemNotFound)
    }
    var wanted: ItemAttributes = [.applicationLabel: .data(hash), .keyClass: 1]
    for (attribute, value) in request.attributes
    where ItemClass.key.attributes.contains(attribute)
      && !ItemClass.certificate.attributes.contains(attribute)
    {
      wanted[attribute] = value
    }
    let query = KeychainQuery(
      .key, wanted, group: request.group ?? certificate.group, synchronizable: .any, limit: 1)
    guard let item = try keychain.items(matching: query, context: request.context).first else {
      throw StatusError(errSecItemNotFound)
    }
    return item
  }

  func shapeIdentity(_ certificate: KeychainItem, _ request: ItemRequest, key: SecKey? = nil) throws
    -> CFTypeRef?
  {
    let keyItem = try keyItem(of: certificate, request)
    return try assemble(
      request.returns,
      data: { certificate.withSecret { Data($0) } },
      attributes: {
        let both = keyItem.dictionary
        both.addEntries(from: certificate.dictionary as? [AnyHashable: Any] ?? [:])
        return both
      },
      reference: {
        guard let found = certificate.certificate,
          let key = try key ?? object(of: keyItem, request) as? SecKey
        else { return nil }
        return SecIdentity(certificate: found, privateKey: key)
      },
      persistentReference: {
        PersistentItemReference.identity(certificate: certificate.reference).data
      },
      className: "idnt")
  }

  func updateIdentities(_ request: ItemRequest, _ change: ItemChange, _ secret: SecretBox?) throws {
    guard secret == nil else {
      throw StatusError(errSecParam, "An identity has no value to update. Update its key.")
    }
    var isAny = false
    try keychain.together {
      for item in try allCertificates(request)
      where try ifWhole({ try keyItem(of: item, request) }) != nil {
        try keychain.update(item.reference, change, secret: nil, context: request.context)
        isAny = true
      }
    }
    guard isAny else { throw StatusError(errSecItemNotFound) }
  }

  func deleteIdentities(_ request: ItemRequest) throws {
    try keychain.together {
      let whole = try allCertificates(request).filter { item in
        try ifWhole({ try keyItem(of: item, request) }) != nil
      }
      guard !whole.isEmpty else { throw StatusError(errSecItemNotFound) }
      for item in whole { try deleteIdentity(item) }
    }
  }

  /// Deletes a certificate. Also deletes its private key if no other certificate uses the key.
  func deleteIdentity(_ certificate: KeychainItem) throws {
    try keychain.together {
      try keychain.delete(certificate.reference)
      guard let hash = certificate.attributes[.publicKeyHash] else { return }
      let group = certificate.group
      let others = KeychainQuery(
        .certificate, [.publicKeyHash: hash], group: group, synchronizable: .any)
      guard try keychain.items(matching: others).isEmpty else { return }
      try keychain.delete(
        matching: KeychainQuery(
          .key, [.applicationLabel: hash, .keyClass: 1], group: group, synchronizable: .any))
    }
  }
}

extension ItemRequest {
  /// Returns the request for the certificate or the key of an identity, with the attributes that
  /// items of this class can have.
  fileprivate func half(of itemClass: ItemClass) -> ItemRequest {
    var half = self
    half.returns = []
    half.reference = nil
    half.itemClass = .items(itemClass)
    half.attributes = ItemAttributes()
    for (attribute, value) in attributes where itemClass.attributes.contains(attribute) {
      half.attributes[attribute] = value
    }
    return half
  }

  fileprivate static func query(of identity: SecIdentity, _ request: ItemRequest) throws
    -> KeychainQuery
  {
    var certificate = request
    certificate.reference = .certificate(identity.certificate)
    certificate.itemClass = .items(.certificate)
    return try certificate.query(limit: 0)
  }
}
