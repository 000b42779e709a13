import AtRestCrypto
import Crypto
import Foundation

/// What the rooms above do with class keys.
extension Keybag {
  /// Wraps a key with a class key (RFC 3394; 8 bytes longer).
  package func wrap(_ key: borrowing SecretBytes, under keyClass: KeyClass) throws -> Data {
    let classKey = try self.key(for: keyClass)
    return try WrappingKey(classKey.bytes.derive(.classWrap)).wrap(key)
  }

  /// Unwraps a key that ``wrap(_:under:)`` wrapped.
  package func unwrap(
    _ wrapped: Data, under keyClass: KeyClass, name: String
  ) throws -> SecretBytes {
    let classKey = try self.key(for: keyClass)
    return try WrappingKey(classKey.bytes.derive(.classWrap)).unwrap(wrapped, name: name)
  }

  /// Wraps a key for class B with its public half alone, so also while locked.
  ///
  /// The result is the ephemeral public key (32 bytes) and the wrapped key.
  package func wrapUnlessOpen(_ key: borrowing SecretBytes) throws -> Data {
    let publicKey = try state.withLock { state in
      guard let entry = state.file.entries[.completeUnlessOpen] else {
        throw AtRestError.damaged("The keybag has no class B.")
      }
      return entry.publicKey
    }
    let ephemeral = Curve25519.KeyAgreement.PrivateKey()
    let agreed = try ephemeral.sharedSecretFromKeyAgreement(
      with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey))
    let ephemeralPublic = ephemeral.publicKey.rawRepresentation
    let wrapping = SecretBytes(agreed).derive(
      .unlessOpenWrap, context: ephemeralPublic + publicKey)
    return ephemeralPublic + (try WrappingKey(wrapping).wrap(key))
  }

  /// Unwraps a key that ``wrapUnlessOpen(_:)`` wrapped; needs an unlocked store.
  package func unwrapUnlessOpen(_ wrapped: Data, name: String) throws -> SecretBytes {
    let privateKey = try key(for: .completeUnlessOpen)
    guard wrapped.count > 32 else { throw AtRestError.damaged("\(name) is cut off.") }
    let pair = try privateKey.bytes.withUnsafeBytes {
      try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
    }
    let ephemeral = Data(wrapped.prefix(32))
    do {
      let agreed = try pair.sharedSecretFromKeyAgreement(
        with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: ephemeral))
      let wrapping = SecretBytes(agreed).derive(
        .unlessOpenWrap, context: ephemeral + pair.publicKey.rawRepresentation)
      return try WrappingKey(wrapping).unwrap(Data(wrapped.dropFirst(32)), name: name)
    } catch let error as AtRestError {
      throw error
    } catch {
      throw AtRestError.damaged("\(name) holds no valid public key.")
    }
  }

  /// The number drawn with a class key, or nil where the class has none now.
  package func keyID(of keyClass: KeyClass) -> UInt64? {
    state.withLock { $0.file.entries[keyClass]?.id }
  }

  /// The error that says why a class key is not in memory.
  package func refusal(of keyClass: KeyClass) -> AtRestError {
    if keyClass == .whenPasscodeSetThisDeviceOnly && !hasPasscode {
      return AtRestError(
        .passcodeNotSet, "Class \(keyClass.name) needs a passcode, and none is set.",
        remedy: "Set a passcode first, or choose another class.")
    }
    if state.withLock({ $0.effaceable == nil }) { return refusalWhenClosed }
    let state = lockState == .beforeFirstUnlock ? "not unlocked yet" : "locked"
    return AtRestError(
      .locked, "The store is \(state), and class \(keyClass.name) needs it unlocked.",
      remedy: "Unlock it with the passcode, and ask again.")
  }

  func key(for keyClass: KeyClass) throws -> SecretBox {
    guard let key = state.withLock({ $0.keys[keyClass] }) else { throw refusal(of: keyClass) }
    return key
  }
}

extension Purpose {
  static let classWrap = Purpose("atrest.class-wrap.v1")
  static let unlessOpenWrap = Purpose("atrest.unless-open-wrap.v1")
}
