import AtRestCrypto
import Crypto
import Foundation

/// Wrapping of keys with class keys, for protected files.
///
/// The current set of class keys wraps new keys. To unwrap a key, former sets are tried as well:
/// AES Key Wrap is authenticated, so only the right set succeeds.
extension Keybag {
  /// Wraps a key with a class key (RFC 3394). The result is 8 bytes longer than the key, and 32 bytes
  /// more for class B: see ``wrapUnlessOpen(_:)``.
  package func wrap(_ key: borrowing SecretBytes, under keyClass: KeyClass) throws -> Data {
    try checkPresent()
    guard keyClass != .completeUnlessOpen else { return try wrapUnlessOpen(key) }
    let classKey = try self.key(for: keyClass)
    return try WrappingKey(classKey.bytes.derive(.classWrap)).wrap(key)
  }

  /// Unwraps the key of a file: the result of ``wrap(_:under:)`` or ``wrapUnlessOpen(_:)``, made by
  /// this store or by one whose backup was restored into it.
  ///
  /// - Parameter origin: The store that wrapped the key.
  /// - Throws: ``AtRestError/Code/damaged`` if the wrapped key was modified, for class B also if it
  ///   was made without the key of class D or has an ephemeral key of low order;
  ///   ``AtRestError/Code/notPermitted`` if the keybag has no keys of that store; the error of
  ///   ``refusal(of:)`` if the class is locked.
  package func unwrap(
    _ wrapped: Data, under keyClass: KeyClass, from origin: StoreIdentity? = nil, name: String
  ) throws -> SecretBytes {
    try checkPresent()
    let origin = origin ?? store
    let keys = try fileKeys(of: keyClass, from: origin, name: name)
    do {
      return try Self.unwrap(wrapped, under: keyClass, keys, from: origin, name: name)
    } catch AtRestError.Code.damaged where origin != store {
      // Nothing in a wrapped key says which key wrapped it, so the two causes look the same.
      throw AtRestError.damaged(
        "\(name) does not unwrap under the keys that this store has of the former store \(origin): the "
          + "file was protected after the backup that was restored, under keys of a passcode that was set "
          + "later, or it was modified.",
        remedy: "Restore a later backup of that store, or open the file with another reader of it. "
          + "Nothing was modified.")
    }
  }

  private static func unwrap(
    _ wrapped: Data, under keyClass: KeyClass, _ keys: [FileKey], from origin: StoreIdentity,
    name: String
  ) throws -> SecretBytes {
    guard keyClass == .completeUnlessOpen else {
      return try unwrap(
        wrapped, with: keys.map { SecretBox($0.key.bytes.derive(.classWrap)) }, name: name)
    }
    guard wrapped.count > 32 else { throw AtRestError.damaged("\(name) is cut off.") }
    let ephemeral = Data(wrapped.prefix(32))
    let wrappingKeys = try keys.map { key in
      try Remains.erased(after: .deep) {
        let pair = try key.key.bytes.withUnsafeBytes {
          try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
        }
        let slot = UnlessOpenSlot(
          store: origin, ephemeral: ephemeral,
          publicKey: pair.publicKey.rawRepresentation)
        return SecretBox(try slot.wrappingKey(for: pair, writer: key.writer, name: name))
      }
    }
    return try unwrap(Data(wrapped.dropFirst(32)), with: wrappingKeys, name: name)
  }

  /// Wraps a key for class B, even while the store is locked.
  ///
  /// The wrapping key is derived from a key agreement with the public key of class B and from the
  /// key of class D, which is in memory even while the store is locked. The public key alone is not
  /// enough to derive the wrapping key.
  ///
  /// The result is the ephemeral public key (32 bytes) followed by the wrapped key.
  private func wrapUnlessOpen(_ key: borrowing SecretBytes) throws -> Data {
    // Both keys are read under one lock, so that they belong to the same set.
    let (publicKey, writer) = try state.withLock { state in
      guard let entry = state.file.entries[.completeUnlessOpen] else {
        throw AtRestError.damaged("The keybag has no class B.")
      }
      return (entry.publicKey, state.keys[.noProtection])
    }
    guard let writer else { throw refusal(of: .noProtection) }
    return try Remains.erased(after: .deep) {
      let ephemeral = Curve25519.KeyAgreement.PrivateKey()
      let slot = UnlessOpenSlot(
        store: store, ephemeral: ephemeral.publicKey.rawRepresentation, publicKey: publicKey)
      let agreed = try ephemeral.sharedSecretFromKeyAgreement(
        with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey))
      let wrapping = slot.wrappingKey(agreed: SecretBytes(agreed), writer: writer)
      return slot.ephemeral + (try WrappingKey(wrapping).wrap(key))
    }
  }

  /// Returns the public key of class B in the current set. The key is not secret: the keybag
  /// contains it in plaintext.
  package func unlessOpenPublicKey() throws -> Data {
    guard let entry = state.withLock({ $0.file.entries[.completeUnlessOpen] }) else {
      throw AtRestError.damaged("The keybag has no class B.")
    }
    return entry.publicKey
  }

  private static func unwrap(
    _ wrapped: Data, with wrappingKeys: [SecretBox], name: String
  ) throws -> SecretBytes {
    var refusal = AtRestError.damaged("\(name) has no class key.")
    for key in wrappingKeys {
      do {
        return try WrappingKey(key.bytes.duplicate()).unwrap(wrapped, name: name)
      } catch let error as AtRestError where error.code == .damaged {
        refusal = error
      }
    }
    throw refusal
  }

  /// Returns the identifier of a class key, or nil if the class currently has no key.
  package func keyID(of keyClass: KeyClass) -> UInt64? {
    state.withLock { $0.file.entries[keyClass]?.id }
  }

  func key(for keyClass: KeyClass) throws -> SecretBox {
    guard let key = state.withLock({ $0.keys[keyClass] }) else { throw refusal(of: keyClass) }
    return key
  }
}

extension Purpose {
  static let classWrap = Purpose("atrest.class-wrap.v1")
}
