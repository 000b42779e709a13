@_spi(Tools) import AtRestCrypto
import CAtRestTPM
import Foundation

extension TPMConnection {
  /// Makes a counter at a free index, and takes its first step.
  ///
  /// - Parameter authorization: 32 bytes that each use of the counter needs. They are outside the
  ///   dictionary-attack protection, so they must be random.
  /// - Returns: The counter, and its value after the first step.
  /// - Throws: ``AtRestError/Code/notPermitted`` if the owner hierarchy has a password that is not given;
  ///   ``AtRestError/Code/system`` if the TPM has no room.
  package func defineCounter(
    authorization: borrowing SecretBytes
  ) throws -> (counter: TPMCounter, value: UInt64) {
    try Self.checkAuthorization(authorization.duplicate())
    var wire = Self.authorization(authorization.duplicate())
    defer { wire.erase() }
    holdsSecrets = true
    let none = TPMConstants.libraryNone
    // Indices of other programs are usually near the start of the range.
    for _ in 0..<8 {
      let counter = try TPMCounter(index: UInt32.random(in: TPMCounter.indices))
      let session = try session(.decrypt)
      var handle: atrest_tss_handle = none
      do {
        try tss.withStructures([
          .init(\.read_auth, wire.bytes), .init(\.read_nv_public, counter.definition),
        ]) { inputs in
          try asOwner {
            try run("NV_DefineSpace") {
              functions.nv_define(
                context, TPMConstants.libraryOwner, session, none, none, inputs[0], inputs[1],
                &handle)
            }
          }
        }
      } catch let refusal as TPMRefusal where refusal.isDefinedIndex {
        continue
      } catch let refusal as TPMRefusal where refusal.isOutOfCounters {
        throw AtRestError(
          .system, "The TPM has no room for another counter.",
          remedy:
            "Free those that nothing needs any more: atrest device counters, and atrest device "
            + "remove.", cause: refusal)
      }
      // The library keeps the authorization value with this handle.
      try setAuthorization(of: handle, to: SecretBytes(count: Self.authorizationCount) { _ in })
      _ = functions.close_handle(context, &handle)
      do {
        return (counter, try increment(counter, authorization: authorization))
      } catch {
        try? undefine(counter)
        throw error
      }
    }
    throw AtRestError(
      .busy, "No free index was found in the TPM's memory.", remedy: "Try again.")
  }

  /// Raises a counter by one, durably, and returns its new value.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the index is missing, or is not the one that
  ///   ``defineCounter(authorization:)`` made.
  @discardableResult package func increment(
    _ counter: TPMCounter, authorization: borrowing SecretBytes
  ) throws -> UInt64 {
    try withIndex(of: counter, authorization: authorization) { handle in
      let none = TPMConstants.libraryNone
      let session = try session([])
      try run("NV_Increment") {
        functions.nv_increment(context, handle, handle, session, none, none)
      }
      return try read(counter, handle)
    }
  }

  /// Returns the value of a counter. The session's HMAC authenticates it.
  ///
  /// - Throws: The errors of ``increment(_:authorization:)``.
  package func value(
    of counter: TPMCounter, authorization: borrowing SecretBytes
  ) throws -> UInt64 {
    try withIndex(of: counter, authorization: authorization) { try read(counter, $0) }
  }

  /// Deletes a counter. Does nothing if there is none.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the owner hierarchy has a password that is not given.
  package func undefine(_ counter: TPMCounter) throws {
    guard let handle = try indexHandle(of: counter) else { return }
    let none = TPMConstants.libraryNone
    let session = try session([])
    try asOwner {
      try run("NV_UndefineSpace") {
        functions.nv_undefine(
          context, TPMConstants.libraryOwner, handle, session, none, none)
      }
    }
  }

  private func read(_ counter: TPMCounter, _ handle: UInt32) throws -> UInt64 {
    let none = TPMConstants.libraryNone
    let session = try session(.encrypt)
    var data: UnsafeMutableRawPointer?
    try run("NV_Read") {
      functions.nv_read(context, handle, handle, session, none, none, 8, 0, &data)
    }
    // The session authenticated the name that the library has. It is the one with the attributes of
    // a counter, or the value means nothing.
    guard try name(of: handle) == counter.name else { throw replaced(counter, nil) }
    let wire = try tss.wire(of: data, \.write_nv_data)
    return try wire.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The value of a TPM counter")
      _ = try reader.integer(UInt16.self)
      let value = try reader.integer(UInt64.self)
      try reader.finish()
      return value
    }
  }

  func withIndex<Outcome>(
    of counter: TPMCounter, authorization: borrowing SecretBytes, _ body: (UInt32) throws -> Outcome
  ) throws -> Outcome {
    try Self.checkAuthorization(authorization.duplicate())
    // The salted session needs the primary key, so another TPM is found out first.
    _ = try loadedPrimary()
    guard var handle = try indexHandle(of: counter) else {
      throw AtRestError.damaged(
        "The counter \(counter) of the store is missing in the TPM.")
    }
    defer { _ = functions.close_handle(context, &handle) }
    do {
      return try authorizing(handle, with: authorization.duplicate()) { try body(handle) }
    } catch let refusal as TPMRefusal where refusal.isWrongAuthorization {
      throw replaced(counter, refusal)
    }
  }

  /// Returns the library's handle of an index, or nil if the index is not defined.
  func indexHandle(of counter: TPMCounter) throws -> UInt32? {
    let none = TPMConstants.libraryNone
    var handle: atrest_tss_handle = none
    do {
      try run("TR_FromTPMPublic") {
        functions.load_handle(context, counter.index, none, none, none, &handle)
      }
      return handle
    } catch let refusal as TPMRefusal where refusal.isMissingHandle {
      return nil
    }
  }

  /// Returns the name that the library has for a handle. Commands are authenticated with it.
  private func name(of handle: UInt32) throws -> TPMName {
    var name: UnsafeMutableRawPointer?
    try run("TR_GetName") { functions.name(context, handle, &name) }
    return try TPMName(Data(try tss.wire(of: name, \.write_name).dropFirst(2)))
  }

  private func replaced(_ counter: TPMCounter, _ refusal: TPMRefusal?) -> AtRestError {
    AtRestError(
      .damaged,
      "The counter \(counter) in the TPM is not the one that this store "
        + "made: it was deleted and made again.",
      remedy: "Restore a backup. Nothing was modified.", cause: refusal)
  }
}
