@_spi(Tools) import AtRestCrypto
import CAtRestTPM
import Crypto
import Foundation

/// Secrets that the TPM reveals only while a counter has one value. A counter never has the same value
/// again, even if it is deleted and made again, so a step of it makes them useless for good.
extension TPMConnection {
  /// Seals a secret for one value of a counter.
  ///
  /// - Parameter secret: 1 to 128 bytes.
  package func seal(
    _ secret: borrowing SecretBytes, whileAt value: UInt64, of counter: TPMCounter
  ) throws -> TPMObject {
    guard (1...128).contains(secret.count) else {
      throw AtRestError.invalid(
        "A TPM seals 1 to 128 bytes, not \(secret.count).", remedy: "Seal a key instead.")
    }
    let template = TPMPublic.sealedTemplate(
      isProtected: false, policy: Self.policy(of: counter, at: value))
    return try create(template, sealing: secret.duplicate(), authorization: nil, policy: nil)
  }

  /// Returns the secret of an object that ``seal(_:whileAt:of:)`` made, or nil if the counter has
  /// another value.
  ///
  /// - Parameter authorization: The counter's authorization value.
  /// - Throws: ``AtRestError/Code/damaged`` if the object was modified, or the counter is missing or
  ///   was replaced.
  package func unseal(
    _ object: TPMObject, whileAt value: UInt64, of counter: TPMCounter,
    authorization: borrowing SecretBytes
  ) throws -> SecretBytes? {
    let authorization = SecretBox(authorization.duplicate())
    return try withLoaded(object) { handle in
      let policy = try startSession(
        TPMConstants.policySession, saltedWith: loadedPrimary().handle)
      defer { flush(policy) }
      do {
        try satisfy(value, of: counter, in: policy, authorization: authorization.bytes)
        try setAttributes([.encrypt, .continues], of: policy)
        let none = TPMConstants.libraryNone
        var data: UnsafeMutableRawPointer?
        try run("Unseal") { functions.unseal(context, handle, policy, none, none, &data) }
        return try tss.secret(of: data, \.write_sensitive_data)
      } catch let refusal as TPMRefusal where refusal.isOtherValue {
        return nil
      }
    }
  }

  private func satisfy(
    _ value: UInt64, of counter: TPMCounter, in policy: UInt32,
    authorization: borrowing SecretBytes
  ) throws {
    var operand = ByteWriter()
    operand.integer(UInt16(8))
    operand.integer(value)
    try withIndex(of: counter, authorization: authorization) { index in
      let session = try session(.decrypt)
      let none = TPMConstants.libraryNone
      try tss.withStructures([.init(\.read_digest, operand.bytes)]) { inputs in
        try run("PolicyNV") {
          functions.policy_nv(
            context, index, index, policy, session, none, none, inputs[0], 0,
            TPMConstants.isEqual)
        }
      }
    }
  }

  /// The digest of TPM2_PolicyNV for an index that is equal to a value (TPM 2.0 Library, part 3,
  /// section 23.9).
  private static func policy(of counter: TPMCounter, at value: UInt64) -> [UInt8] {
    var arguments = ByteWriter()
    arguments.integer(value)
    arguments.integer(UInt16(0))
    arguments.integer(TPMConstants.isEqual)
    var message = ByteWriter()
    message.fixed([UInt8](repeating: 0, count: 32))
    message.integer(TPMConstants.policyNV)
    message.fixed(Array(SHA256.hash(data: arguments.bytes)))
    message.fixed(counter.name.data)
    return Array(SHA256.hash(data: message.bytes))
  }
}
