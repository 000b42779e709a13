import AtRestCrypto
import AtRestKeychain
import Foundation

/// Keys that encrypt the keys of envelopes. They are kept in a keychain under one name.
///
/// ```swift
/// let keys = KeyEncryptionKeys(keychain, name: "documents")
/// let envelope = try keys.seal(secret, context: Data("document 7".utf8))
/// try keys.rotate()                                     // new envelopes use a new key
/// let rewrapped = try keys.rewrap(envelope)             // so does this one; its data stays
/// try keys.retire(old)                                  // the old key opens nothing now
/// ```
///
/// The current key wraps the keys of new envelopes. Older keys open envelopes until they are
/// retired. All keys are in one keychain item, so a rotation happens either completely or not at
/// all.
///
/// From a task, run calls with `background(_:)`. Safe to use from several threads and processes.
public struct KeyEncryptionKeys: BlockingCalls {
  /// The keychain that holds the keys.
  public let keychain: Keychain
  /// The name of the keys, unique within the access group.
  public let name: String
  private let protection: ItemProtection
  private let group: String?
  private let owner: ItemOwner?

  /// Refers to the keys with the given name, and creates none. The first call of
  /// `seal(_:context:to:)` or `rotate()` creates a key.
  ///
  /// - Parameters:
  ///   - protection: The protection of the keychain item with the keys. It is used when the item is
  ///     created.
  ///   - group: The access group, or nil for the default group.
  public init(
    _ keychain: Keychain, name: String,
    protection: ItemProtection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil
  ) {
    self.keychain = keychain
    self.name = name
    self.protection = protection
    self.group = group
    owner = nil
  }

  /// Refers to the keys of an owner.
  package init(
    _ keychain: Keychain, name: String, protection: ItemProtection, owner: ItemOwner
  ) {
    self.keychain = keychain
    self.name = name
    self.protection = protection
    group = nil
    self.owner = owner
  }

  // MARK: Envelopes

  /// Seals a secret under a new key, and wraps that key with the current key-encryption key.
  ///
  /// - Parameters:
  ///   - secret: The secret to seal, of any size that fits in memory.
  ///   - context: A description of the secret and of the place where it belongs. The context is not
  ///     stored: pass it again to open the envelope.
  ///   - recipients: The public keys of others who may open the envelope: X25519, P-256 or RSA. At
  ///     most 63.
  /// - Throws: ``AtRestError/Code/locked`` and the other errors of `Keychain.getOrCreate`;
  ///   ``AtRestError/Code/invalidArgument`` for recipients with other keys, or for more than 63.
  public func seal(
    _ secret: borrowing SecretBytes, context: Data, to recipients: [PublicKey] = []
  ) throws -> Envelope {
    let ring = try KeyRing(
      decoding: keychain.getOrCreate(
        item, for: owner, attributes: Self.attributes, protection: protection
      ) { KeyRing().adding().encoded })
    let id = RandomBytes.data(count: 16)
    let key = SecretBytes.random(count: 32)
    let current = ring.current
    var slots = [
      try EnvelopeSlot.wrap(key, under: current.key.bytes, id: current.id, envelope: id)
    ]
    for recipient in recipients {
      slots.append(try EnvelopeSlot.wrap(key, for: recipient, envelope: id))
    }
    return Envelope(
      wrappedKey: try WrappedEnvelopeKey(id: id, slots: slots, key: key).encoded,
      sealedData: try EnvelopeData.seal(secret, id, key, context: context))
  }

  /// Seals data. The caller remains responsible for its own copy of the data in memory.
  ///
  /// - Throws: The errors of `seal(_:context:to:)` for secret bytes.
  public func seal(
    _ data: Data, context: Data, to recipients: [PublicKey] = []
  ) throws -> Envelope {
    try seal(SecretBytes(data), context: context, to: recipients)
  }

  /// Opens an envelope with the key-encryption key that the envelope names.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the key-encryption key was retired or belongs to
  ///   another store; ``AtRestError/Code/damaged`` if the envelope is not as it was sealed, or if
  ///   it was sealed with another context; ``AtRestError/Code/unsupportedVersion``; the errors of
  ///   `Keychain.secret(for:context:)`.
  public func open(_ envelope: Envelope, context: Data) throws -> SecretBytes {
    let wrapped = try WrappedEnvelopeKey(decoding: envelope.wrappedKey)
    let key = try key(of: wrapped, ring())
    return try EnvelopeData.open(envelope.sealedData, wrapped.id, key, context: context)
  }

  /// Wraps an envelope's key with the current key-encryption key instead of an older one.
  ///
  /// The data is neither read nor changed. A copy of the former wrapped key still opens the data
  /// until the older key-encryption key is retired.
  ///
  /// - Parameter recipients: The public keys of others who may open the envelope from now on, or
  ///   nil to keep the current recipients. A former recipient may have kept the envelope's key: to
  ///   exclude former recipients, seal the data again.
  /// - Throws: The errors of `open(_:context:)`; ``AtRestError/Code/invalidArgument`` for keys that
  ///   cannot be recipients.
  public func rewrap(_ envelope: Envelope, to recipients: [PublicKey]? = nil) throws -> Envelope {
    Envelope(
      wrappedKey: try rewrap(wrappedKey: envelope.wrappedKey, to: recipients),
      sealedData: envelope.sealedData)
  }

  /// Rewraps a wrapped key that is stored apart from its data.
  ///
  /// - Throws: The errors of `rewrap(_:to:)`.
  public func rewrap(wrappedKey: Data, to recipients: [PublicKey]? = nil) throws -> Data {
    let wrapped = try WrappedEnvelopeKey(decoding: wrappedKey)
    let ring = try ring()
    let key = try key(of: wrapped, ring)
    let current = ring.current
    var slots = [
      try EnvelopeSlot.wrap(key, under: current.key.bytes, id: current.id, envelope: wrapped.id)
    ]
    if let recipients {
      for recipient in recipients {
        slots.append(try EnvelopeSlot.wrap(key, for: recipient, envelope: wrapped.id))
      }
    } else {
      slots += wrapped.slots.filter {
        if case .recipient = $0.reader { true } else { false }
      }
    }
    return try WrappedEnvelopeKey(id: wrapped.id, slots: slots, key: key).encoded
  }

  private func key(of wrapped: WrappedEnvelopeKey, _ ring: KeyRing) throws -> SecretBytes {
    for slot in wrapped.slots {
      guard case .keyEncryptionKey(let id) = slot.reader, let kek = ring[id] else { continue }
      let key = try slot.unwrap(under: kek.bytes, envelope: wrapped.id)
      try wrapped.check(key)
      return key
    }
    throw AtRestError(
      .notFound, "The key-encryption key of the envelope is not among \(name).",
      remedy: "It was retired, or is in another store or under another name.")
  }

  // MARK: Keys

  /// Returns the identifiers of the keys, with the current one last, or an empty array if no key
  /// was created yet.
  ///
  /// - Throws: The errors of `Keychain.secret(for:context:)`, except *not found*.
  public func identifiers() throws -> [Data] {
    do {
      return try ring().entries.map(\.id)
    } catch AtRestError.Code.notFound {
      return []
    }
  }

  /// Creates a key and makes it the current one. Older keys still open envelopes.
  ///
  /// - Returns: The identifier of the new key, 8 bytes. The identifier is not secret.
  /// - Throws: The errors of `Keychain.secret(for:context:)`, `add` and `update`;
  ///   ``AtRestError/Code/invalidArgument`` if there are 1,024 keys already.
  @discardableResult
  public func rotate() throws -> Data {
    try keychain.transaction {
      var ring = KeyRing()
      do { ring = try self.ring() } catch AtRestError.Code.notFound {
        let made = ring.adding()
        try keychain.creating(for: owner) {
          try keychain.add(
            item, secret: made.encoded, attributes: Self.attributes, protection: protection)
        }
        return made.current.id
      }
      guard ring.entries.count < KeyRing.maximumEntries else {
        throw AtRestError.invalid(
          "\(KeyRing.maximumEntries) key-encryption keys exist under \(name), which is the limit.",
          remedy: "Rewrap the envelopes of the oldest keys, and retire those keys.")
      }
      let rotated = ring.adding()
      try keychain.update(item, secret: rotated.encoded)
      return rotated.current.id
    }
  }

  /// Destroys an older key. Envelopes wrapped only with that key can never be opened again.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such key;
  ///   ``AtRestError/Code/invalidArgument`` for the current key; the errors of
  ///   `Keychain.update(_:secret:context:)`.
  public func retire(_ identifier: Data) throws {
    try keychain.transaction {
      let ring = try ring()
      guard ring.current.id != identifier else {
        throw AtRestError.invalid(
          "The current key-encryption key cannot be retired.", remedy: "Rotate first.")
      }
      guard ring[identifier] != nil else {
        throw AtRestError(
          .notFound, "There is no such key-encryption key under \(name).",
          remedy: "Call identifiers() for the keys that exist.")
      }
      try keychain.update(item, secret: ring.removing { $0 == identifier }.encoded)
    }
  }

  /// Destroys all keys except the current one.
  ///
  /// - Throws: The errors of `retire(_:)`.
  public func retireOlder() throws {
    try keychain.transaction {
      let ring = try ring()
      let current = ring.current.id
      try keychain.update(item, secret: ring.removing { $0 != current }.encoded)
    }
  }

  private static let attributes: ItemAttributes = [.label: "Key-encryption keys"]

  private var item: PrimaryKey {
    owner?.key("envelope-keys", name)
      ?? .genericPassword(service: "atrest.key-encryption-keys", account: name, group: group)
  }

  private func ring() throws -> KeyRing {
    try KeyRing(decoding: keychain.secret(for: item, of: owner))
  }
}
