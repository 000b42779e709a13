import AtRestCrypto
import AtRestKeychain
import Foundation

/// Keys that encrypt the keys of envelopes, kept in a keychain under a name.
///
/// ```swift
/// let keys = KeyEncryptionKeys(keychain, name: "documents")
/// let envelope = try keys.seal(secret, context: Data("document 7".utf8))
/// try keys.rotate()                                     // new envelopes are under a new key
/// let rewrapped = try keys.rewrap(envelope)             // this one too; its data is not touched
/// try keys.retire(old)                                  // what is under the old one is closed now
/// ```
///
/// One of the keys is current: it seals. Older ones open until they are retired. They lie in one item
/// of the keychain, so that a rotation happens or does not.
///
/// Each call has a synchronous and an asynchronous form. Safe to use from several threads and
/// processes.
public struct KeyEncryptionKeys: Sendable {
  /// The keychain that they are in.
  public let keychain: Keychain
  /// The name, which no others in the same access group have.
  public let name: String
  private let protection: Protection
  private let group: String?

  /// Names keys. Makes none: the first `seal(_:context:to:)` or `rotate()` does.
  ///
  /// - Parameters:
  ///   - protection: Of the keys, where they are made now.
  ///   - group: The access group; nil: the default one.
  public init(
    _ keychain: Keychain, name: String,
    protection: Protection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil
  ) {
    self.keychain = keychain
    self.name = name
    self.protection = protection
    self.group = group
  }

  // MARK: Envelopes

  /// Seals a secret under a new key, and wraps that under the current key-encryption key.
  ///
  /// - Parameters:
  ///   - secret: What to seal, of any size that memory holds.
  ///   - context: What it is and where it belongs. Not stored: whoever opens it has to know it.
  ///   - recipients: Who may open it besides, with X25519, P-256 or RSA keys. At most 63.
  /// - Throws: ``AtRestError/Code/locked`` and what else `Keychain.getOrCreate` throws;
  ///   ``AtRestError/Code/invalidArgument`` for other recipients.
  public func seal(
    _ secret: borrowing SecretBytes, context: Data, to recipients: [PublicKey] = []
  ) throws -> Envelope {
    let ring = try KeyRing(
      decoding: keychain.getOrCreate(item, attributes: Self.attributes, protection: protection) {
        KeyRing().adding().encoded
      })
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

  /// Seals data, whose copy in memory remains the caller's to guard.
  ///
  /// - Throws: As `seal(_:context:to:)` of secret bytes.
  public func seal(
    _ data: Data, context: Data, to recipients: [PublicKey] = []
  ) throws -> Envelope {
    try seal(SecretBytes(data), context: context, to: recipients)
  }

  /// Opens an envelope with the key-encryption key that it names.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` where that was retired, or is of another store;
  ///   ``AtRestError/Code/damaged`` where the envelope or its context is another;
  ///   ``AtRestError/Code/unsupportedVersion``; what `Keychain.secret(for:context:)` throws.
  public func open(_ envelope: Envelope, context: Data) throws -> SecretBytes {
    let wrapped = try WrappedEnvelopeKey(decoding: envelope.wrappedKey)
    let key = try key(of: wrapped, ring())
    return try EnvelopeData.open(envelope.sealedData, wrapped.id, key, context: context)
  }

  /// Wraps an envelope's key under the current key-encryption key, and under no older one.
  ///
  /// The data is neither read nor changed. A copy of the former wrapped key opens as long as the older
  /// key-encryption key is not retired.
  ///
  /// - Parameter recipients: Who may open it besides from now on; nil: the same as before. Who could
  ///   open it before may have kept the key: to exclude them from the data, seal it anew.
  /// - Throws: As `open(_:context:)`; ``AtRestError/Code/invalidArgument`` for recipients that
  ///   cannot be any.
  public func rewrap(_ envelope: Envelope, to recipients: [PublicKey]? = nil) throws -> Envelope {
    Envelope(
      wrappedKey: try rewrap(wrappedKey: envelope.wrappedKey, to: recipients),
      sealedData: envelope.sealedData)
  }

  /// The same for a wrapped key that lies apart from its data.
  ///
  /// - Throws: As `rewrap(_:to:)`.
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

  /// Names of the keys, the current one last; empty where none was made yet.
  ///
  /// - Throws: What `Keychain.secret(for:context:)` throws, but for *not found*.
  public func identifiers() throws -> [Data] {
    do {
      return try ring().entries.map(\.id)
    } catch AtRestError.Code.notFound {
      return []
    }
  }

  /// Makes a new key the current one. Older ones open on.
  ///
  /// - Returns: Its name, 8 bytes, which is not secret.
  /// - Throws: What `Keychain.secret(for:context:)` and `set` throw;
  ///   ``AtRestError/Code/invalidArgument`` where 1,024 are kept already.
  @discardableResult
  public func rotate() throws -> Data {
    try keychain.transaction {
      var ring = KeyRing()
      do { ring = try self.ring() } catch AtRestError.Code.notFound {
        let made = ring.adding()
        try keychain.add(
          item, secret: made.encoded, attributes: Self.attributes, protection: protection)
        return made.current.id
      }
      guard ring.entries.count < KeyRing.maximumEntries else {
        throw AtRestError.invalid(
          "\(KeyRing.maximumEntries) key-encryption keys are kept under \(name).",
          remedy: "Rewrap what is under the oldest, and retire them.")
      }
      let rotated = ring.adding()
      try keychain.update(item, secret: rotated.encoded)
      return rotated.current.id
    }
  }

  /// Destroys an older key: what is wrapped under it alone does not open again.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/invalidArgument`` for the current
  ///   one; what `Keychain.update(_:secret:context:)` throws.
  public func retire(_ identifier: Data) throws {
    try keychain.transaction {
      let ring = try ring()
      guard ring.current.id != identifier else {
        throw AtRestError.invalid(
          "The current key-encryption key is not retired.", remedy: "Rotate first.")
      }
      guard ring[identifier] != nil else {
        throw AtRestError(
          .notFound, "There is no such key-encryption key under \(name).",
          remedy: "See identifiers() for those that are there.")
      }
      try keychain.update(item, secret: ring.removing { $0 == identifier }.encoded)
    }
  }

  /// Destroys all keys but the current one.
  ///
  /// - Throws: As `retire(_:)`.
  public func retireOlder() throws {
    try keychain.transaction {
      let ring = try ring()
      let current = ring.current.id
      try keychain.update(item, secret: ring.removing { $0 != current }.encoded)
    }
  }

  private static let attributes: Attributes = [.label: "Key-encryption keys"]

  private var item: PrimaryKey {
    .genericPassword(service: "atrest.key-encryption-keys", account: name, group: group)
  }

  private func ring() throws -> KeyRing { try KeyRing(decoding: keychain.secret(for: item)) }
}

/// The asynchronous forms.
extension KeyEncryptionKeys {
  /// Seals a secret, off the caller's actor.
  public func seal(
    _ secret: borrowing SecretBytes, context: Data, to recipients: [PublicKey] = []
  ) async throws -> Envelope {
    let secret = SecretBox(secret.duplicate())
    return try await keychain.offActor {
      try self.seal(secret.bytes, context: context, to: recipients)
    }
  }

  /// Seals data, off the caller's actor.
  public func seal(
    _ data: Data, context: Data, to recipients: [PublicKey] = []
  ) async throws -> Envelope {
    try await keychain.offActor { try self.seal(data, context: context, to: recipients) }
  }

  /// Opens an envelope, off the caller's actor.
  public func open(_ envelope: Envelope, context: Data) async throws -> SecretBytes {
    try await keychain.offActor {
      SecretBox(try self.open(envelope, context: context))
    }.bytes.duplicate()
  }

  /// Wraps an envelope's key under the current key-encryption key, off the caller's actor.
  public func rewrap(
    _ envelope: Envelope, to recipients: [PublicKey]? = nil
  ) async throws -> Envelope {
    try await keychain.offActor { try self.rewrap(envelope, to: recipients) }
  }

  /// The same for a wrapped key that lies apart from its data, off the caller's actor.
  public func rewrap(
    wrappedKey: Data, to recipients: [PublicKey]? = nil
  ) async throws -> Data {
    try await keychain.offActor { try self.rewrap(wrappedKey: wrappedKey, to: recipients) }
  }

  /// Makes a new key the current one, off the caller's actor.
  @discardableResult
  public func rotate() async throws -> Data {
    try await keychain.offActor { try self.rotate() }
  }

  /// Destroys an older key, off the caller's actor.
  public func retire(_ identifier: Data) async throws {
    try await keychain.offActor { try self.retire(identifier) }
  }

  /// Destroys all keys but the current one, off the caller's actor.
  public func retireOlder() async throws {
    try await keychain.offActor { try self.retireOlder() }
  }

  /// Names of the keys, off the caller's actor.
  public func identifiers() async throws -> [Data] {
    try await keychain.offActor { try self.identifiers() }
  }
}
