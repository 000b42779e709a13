@_spi(Tools) import AtRestCrypto
import CAtRestTPM

extension TPMConnection {
  /// Seals a secret, so that only this TPM can unseal it.
  ///
  /// - Parameters:
  ///   - secret: 1 to 128 bytes.
  ///   - authorization: 32 bytes that unsealing needs, or nil. The TPM's dictionary-attack protection
  ///     applies to objects with an authorization value, and never to those without.
  ///   - policy: Registers whose values must be the same when the secret is unsealed, or nil.
  package func seal(
    _ secret: borrowing SecretBytes, authorization: borrowing SecretBytes? = nil,
    policy: TPMPolicy? = nil
  ) throws -> TPMObject {
    try Self.checkAuthorization(authorization)
    guard (1...128).contains(secret.count) else {
      throw AtRestError.invalid(
        "A TPM seals 1 to 128 bytes, not \(secret.count).", remedy: "Seal a key instead.")
    }
    let isProtected = authorization != nil
    let policyDigest = try policy.map { try digest(of: $0, isAuthorized: isProtected) }
    let template = TPMPublic.sealedTemplate(isProtected: isProtected, policy: policyDigest ?? [])
    return try create(
      template, sealing: secret.duplicate(), authorization: authorization, policy: policy)
  }

  /// Returns the secret of a sealed object.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the authorization value is wrong;
  ///   ``AtRestError/Code/throttled`` after too many wrong ones; ``AtRestError/Code/notPermitted``
  ///   if registers of the policy changed; ``AtRestError/Code/damaged`` if the object was modified
  ///   or is another TPM's.
  package func unseal(
    _ object: TPMObject, authorization: borrowing SecretBytes? = nil
  ) throws -> SecretBytes {
    let none = TPMConstants.libraryNone
    return try using(object, authorization: authorization, .encrypt) { handle, session in
      var data: UnsafeMutableRawPointer?
      try run("Unseal") { functions.unseal(context, handle, session, none, none, &data) }
      return try tss.secret(of: data, \.write_sensitive_data)
    }
  }

  /// Returns the same object with another authorization value.
  ///
  /// The old encoding still works with the old value: erase it. An object without an authorization
  /// value stays outside the dictionary-attack protection, so it is refused; seal it again instead.
  ///
  /// - Parameters:
  ///   - authorization: The present value, 32 bytes.
  ///   - replacement: The new value, 32 bytes.
  package func changeAuthorization(
    of object: TPMObject, from authorization: borrowing SecretBytes,
    to replacement: borrowing SecretBytes
  ) throws -> TPMObject {
    try Self.checkAuthorization(authorization.duplicate())
    try Self.checkAuthorization(replacement.duplicate())
    var wire = Self.authorization(replacement.duplicate())
    defer { wire.erase() }
    let none = TPMConstants.libraryNone
    let primary = try loadedPrimary().handle
    let withoutPolicy = TPMObject(
      publicArea: object.publicArea, privateArea: object.privateArea, policy: nil)
    // The policy governs the use of the object. Changing its value needs only the present value.
    return try using(
      withoutPolicy, authorization: authorization.duplicate(), [.decrypt, .encrypt]
    ) { handle, session in
      var area: UnsafeMutableRawPointer?
      try tss.withStructures([.init(\.read_auth, wire.bytes)]) { inputs in
        try run("ObjectChangeAuth") {
          functions.change_auth(
            context, handle, primary, session, none, none, inputs[0], &area)
        }
      }
      return TPMObject(
        publicArea: object.publicArea, privateArea: try tss.wire(of: area, \.write_private),
        policy: object.policy)
    }
  }
}
