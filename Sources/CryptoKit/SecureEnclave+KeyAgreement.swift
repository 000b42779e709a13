import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation
import LocalAuthentication

extension SecureEnclave.P256.KeyAgreement {
  /// A key that agrees on secrets, and never leaves the device. It can also be the recipient of
  /// `HPKE`.
  public struct PrivateKey: Sendable, HPKEDiffieHellmanPrivateKey {
    private let key: BoundKey

    /// The public half. It can be read while the device is locked.
    public let publicKey: Crypto.P256.KeyAgreement.PublicKey

    /// Creates a key.
    ///
    /// The user is not asked, except for the application password if the access control requires
    /// one.
    ///
    /// - Parameters:
    ///   - compactRepresentable: True if the public key must have a `compactRepresentation`.
    ///   - accessControl: The proof that each use requires, and the time at which the key can be used.
    ///     Its flags must contain `privateKeyUsage`. The key is bound to this device even if the
    ///     accessibility is not.
    ///   - authenticationContext: The context of each use. If it has authenticated the user, nobody
    ///     is asked again.
    /// - Throws: The errors of creating a key that signs.
    public init(
      compactRepresentable: Bool = true,
      accessControl: AccessControlObject = .keyUsage,
      authenticationContext: LAContext? = nil
    ) throws {
      try self.init(
        BoundKey(
          .keyAgreement, calling: "SecureEnclave.P256.KeyAgreement.PrivateKey.init", accessControl,
          authenticationContext
        ) {
          try !compactRepresentable
            || Crypto.P256.KeyAgreement.PublicKey(x963Representation: $0).compactRepresentation
              != nil
        })
    }

    /// Opens a key from its `dataRepresentation`, on the device that made it. The device may be locked.
    ///
    /// - Throws: The errors of opening a key that signs; `invalidArgument` for such a key.
    public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
      try self.init(
        BoundKey(
          .keyAgreement, calling: "SecureEnclave.P256.KeyAgreement.PrivateKey.init",
          opening: dataRepresentation, authenticationContext))
    }

    private init(_ key: BoundKey) throws {
      self.key = key
      publicKey = try .init(x963Representation: key.publicKey)
    }

    /// The key in a form that only this device opens. It is not secret.
    public var dataRepresentation: Data { key.representation }

    /// Agrees on a secret with the holder of another key.
    ///
    /// - Throws: The errors of signing with a key that signs.
    public func sharedSecretFromKeyAgreement(
      with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
    ) throws -> SharedSecret {
      let other = try AtRestCrypto.PublicKey(x963Representation: publicKeyShare.x963Representation)
      return try key.use {
        try SharedSecret(coordinate: $0.sharedSecret(with: other))
      }
    }
  }
}

extension SharedSecret {
  /// Creates a shared secret from a coordinate that hardware returned.
  ///
  /// swift-crypto makes shared secrets only by a key agreement of its own. This initialiser makes one
  /// with new keys, replaces its bytes, and checks that they were replaced.
  fileprivate init(coordinate: borrowing SecretBytes) throws {
    self = try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(
      with: Curve25519.KeyAgreement.PrivateKey().publicKey)
    let isReplaced = coordinate.withUnsafeBytes { coordinate in
      withUnsafeBytes { bytes in
        guard bytes.count == coordinate.count, let start = bytes.baseAddress else { return }
        UnsafeMutableRawBufferPointer(
          start: UnsafeMutableRawPointer(mutating: start), count: bytes.count
        ).copyMemory(from: coordinate)
      }
      return withUnsafeBytes { $0.elementsEqual(coordinate) }
    }
    guard isReplaced else {
      throw AtRestError(
        .system, "This version of swift-crypto does not hold shared secrets as expected.",
        remedy: "Report it, with the version of swift-crypto.")
    }
  }
}
