import AtRestKeychain
import Crypto
import Foundation
import LocalAuthentication

extension SecureEnclave.P256.Signing {
  /// A key that signs with ECDSA, and never leaves the device.
  public struct PrivateKey: Sendable {
    private let key: BoundKey

    /// The public half. It can be read while the device is locked.
    public let publicKey: Crypto.P256.Signing.PublicKey

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
    /// - Throws: `LAError.passcodeNotSet` if the access control requires a passcode and none is set;
    ///   `LAError` if the application password is not given; `AtRestError`: `notPermitted` for biometry
    ///   that no reader offers, `locked` while the device is locked, and the errors of the hardware.
    public init(
      compactRepresentable: Bool = true,
      accessControl: AccessControlObject = .keyUsage,
      authenticationContext: LAContext? = nil
    ) throws {
      try self.init(
        BoundKey(
          .signing, calling: "SecureEnclave.P256.Signing.PrivateKey.init", accessControl,
          authenticationContext
        ) {
          try !compactRepresentable
            || Crypto.P256.Signing.PublicKey(x963Representation: $0).compactRepresentation != nil
        })
    }

    /// Opens a key from its `dataRepresentation`, on the device that made it. The device may be locked.
    ///
    /// - Throws: `AtRestError`: `otherDevice` if another device made the key; `otherStore` if another
    ///   store of this device made it, for example because the device was erased; `damaged` if the
    ///   bytes are not such a key or were modified; `invalidArgument` for a key for key agreement.
    public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
      try self.init(
        BoundKey(
          .signing, calling: "SecureEnclave.P256.Signing.PrivateKey.init",
          opening: dataRepresentation,
          authenticationContext))
    }

    private init(_ key: BoundKey) throws {
      self.key = key
      publicKey = try .init(x963Representation: key.publicKey)
    }

    /// The key in a form that only this device opens. It is not secret.
    public var dataRepresentation: Data { key.representation }

    /// Signs data, which is hashed with SHA-256.
    ///
    /// - Throws: `LAError` if the user does not give the proof that the access control requires;
    ///   `AtRestError`: `locked` while the device is locked, `notPermitted` if the access control
    ///   lacks `privateKeyUsage` or the enrolled biometry changed, and the errors of the hardware.
    public func signature<D: DataProtocol>(
      for data: D
    ) throws -> Crypto.P256.Signing.ECDSASignature {
      try signature(for: SHA256.hash(data: data))
    }

    /// Signs a digest.
    ///
    /// - Throws: The errors of signing data.
    public func signature<D: Digest>(
      for digest: D
    ) throws -> Crypto.P256.Signing.ECDSASignature {
      let digest = Data(digest)
      return try .init(
        rawRepresentation: key.use {
          try $0.signature(forDigest: digest, .ecdsaRaw)
        })
    }
  }
}
