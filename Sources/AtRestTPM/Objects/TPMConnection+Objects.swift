@_spi(Tools) import AtRestCrypto
import CAtRestTPM

extension TPMConnection {
  /// Creates an object under the primary key.
  ///
  /// - Parameters:
  ///   - template: The `TPM2B_PUBLIC` without the unique field.
  ///   - sensitive: The secret to seal, or nil for a key that the TPM makes.
  func create(
    _ template: [UInt8], sealing sensitive: borrowing SecretBytes?,
    authorization: borrowing SecretBytes?, policy: TPMPolicy?
  ) throws -> TPMObject {
    var content = Self.authorization(authorization)
    defer { content.erase() }
    switch sensitive {
    case .some(let secret): content.sized(secret)
    case .none: content.sized([])
    }
    var wire = ByteWriter(capacity: 512)
    defer { wire.erase() }
    wire.sized(content.bytes)

    holdsSecrets = true
    let primary = try loadedPrimary().handle
    let session = try session([.decrypt, .encrypt])
    let none = TPMConstants.libraryNone
    var outputs = [UnsafeMutableRawPointer?](repeating: nil, count: 5)
    defer { outputs.forEach(tss.free) }
    try tss.withStructures([
      .init(\.read_sensitive_create, wire.bytes), .init(\.read_public, template),
      .init(\.read_data, [0, 0]), .init(\.read_pcr_selection, [0, 0, 0, 0]),
    ]) { inputs in
      try outputs.withUnsafeMutableBufferPointer { outputs in
        let first = outputs.baseAddress!
        try run("Create") {
          functions.create(
            context, primary, session, none, none, inputs[0], inputs[1], inputs[2], inputs[3],
            first, first + 1, first + 2, first + 3, first + 4)
        }
      }
    }
    func take(_ index: Int, _ write: KeyPath<atrest_tss, atrest_tss_write?>) throws -> [UInt8] {
      let output = outputs[index]
      outputs[index] = nil
      return try tss.wire(of: output, write)
    }
    return TPMObject(
      publicArea: try take(1, \.write_public), privateArea: try take(0, \.write_private),
      policy: policy)
  }

  /// Loads an object, calls a closure with its handle, and removes it from the TPM.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the object was modified or is not one of this primary
  ///   key, and the closure's errors.
  func withLoaded<Outcome: ~Copyable>(
    _ object: TPMObject, _ body: (UInt32) throws -> Outcome
  ) throws -> Outcome {
    let primary = try loadedPrimary().handle
    let session = try session([.decrypt, .encrypt])
    let none = TPMConstants.libraryNone
    var handle: atrest_tss_handle = none
    do {
      try tss.withStructures([
        .init(\.read_private, object.privateArea), .init(\.read_public, object.publicArea),
      ]) { inputs in
        try run("Load") {
          functions.load(
            context, primary, session, none, none, inputs[0], inputs[1], &handle)
        }
      }
    } catch let refusal as TPMRefusal where refusal.isUnloadable {
      throw AtRestError(
        .damaged, "The TPM cannot load an object: it was modified, or another TPM made it.",
        remedy: "Restore a backup. Nothing was modified.", cause: refusal)
    }
    defer { flush(handle) }
    return try body(handle)
  }

  /// Loads an object and calls a closure with its handle and a session that authorizes its use.
  ///
  /// - Parameter attributes: The parts of the command that the session encrypts.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the authorization value is wrong;
  ///   ``AtRestError/Code/notPermitted`` if registers of the policy have other values than when the
  ///   object was made; and the errors of ``withLoaded(_:_:)``.
  func using<Outcome: ~Copyable>(
    _ object: TPMObject, authorization: borrowing SecretBytes?,
    _ attributes: TPMSessionAttributes,
    _ body: (_ handle: UInt32, _ session: UInt32) throws -> Outcome
  ) throws -> Outcome {
    try Self.checkAuthorization(authorization)
    let hasAuthorization = authorization != nil
    return try withLoaded(object) { handle in
      try authorizing(handle, with: authorization) {
        do {
          guard let policy = object.policy else {
            return try body(handle, try session(attributes))
          }
          return try withPolicySession(
            for: policy, isAuthorized: hasAuthorization, attributes
          ) { try body(handle, $0) }
        } catch let refusal as TPMRefusal where refusal.isWrongAuthorization {
          throw AtRestError.wrongAuthorization(refusal)
        } catch let refusal as TPMRefusal where refusal.isPolicyFailure {
          throw refused(by: object.policy, refusal)
        }
      }
    }
  }

  private func refused(by policy: TPMPolicy?, _ refusal: TPMRefusal) -> AtRestError {
    guard let policy else {
      return AtRestError(
        .notPermitted, "The policy of an object in the TPM does not allow its use.",
        remedy: "Use the program that made it.", cause: refusal)
    }
    return AtRestError(
      .notPermitted,
      "The TPM's registers (PCR \(policy.names)) have other values than when the object was made: "
        + "the firmware, its settings or the boot loader changed.",
      remedy: "Undo the change, or use the recovery key and seal the object again.",
      cause: refusal)
  }
}
