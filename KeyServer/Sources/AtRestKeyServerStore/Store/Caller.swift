import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// A signature that came with a request.
package struct RequestSignature: Sendable {
  package var request: SignedRequest
  package var signature: Data

  package init(request: SignedRequest, signature: Data) {
    self.request = request
    self.signature = signature
  }
}

/// A device whose signature was checked.
struct Caller {
  /// The identifier of the device.
  let device: Data
  /// The identifier of the account.
  let account: Data
}

extension KeyServerStore {
  /// Checks a signature and the sequence number against the device's row, which is locked. Returns
  /// the statement that stores the number.
  func authenticate(_ signature: RequestSignature, _ row: Row?, _ transaction: Transaction) throws
    -> (Caller, Statement)
  {
    guard let row else { throw Self.notEnrolled }
    var record = try DeviceRecord(row)
    guard signature.request.isValid(signature.signature, publicKey: record.publicKey) else {
      throw Self.notEnrolled
    }
    try transaction.checkNumber(record.sequence, of: row.id, "number of a device")
    guard record.revokedAt == 0 else {
      throw AtRestError(
        .revoked, "This device was revoked.",
        remedy: "Enrol it again with a new code from the operator.")
    }
    guard signature.request.sequence <= SignedRequest.maximumSequence else {
      throw AtRestError(
        .invalidArgument, "The sequence number is too large.",
        remedy: "Go on from the last number that the server accepted.")
    }
    guard signature.request.sequence > record.sequence else {
      throw AtRestError(
        .replayed, "A request with this sequence number, or a later one, was received before.",
        remedy: "Send the request again with a higher number.",
        cause: LastSequence(number: record.sequence))
    }
    record.sequence = signature.request.sequence
    return (
      Caller(device: row.id, account: row.owner),
      try row.update(.devices, contents: record.contents, transaction.keys)
    )
  }
}

extension Transaction {
  /// Checks a signature and the sequence number, and stores the number.
  ///
  /// - Throws: ``AtRestError/Code/notEnrolled`` if the device is unknown or the signature is not
  ///   valid, which look the same; ``AtRestError/Code/revoked`` and ``AtRestError/Code/replayed``
  ///   only after the signature was found valid.
  func authenticate(_ signature: RequestSignature) throws -> Caller {
    let row = try row(.devices, signature.request.device, locked: true)
    let (caller, update) = try store.authenticate(signature, row, self)
    _ = try connection.run([update])
    changes.add(number: signature.request.sequence, of: caller.device)
    return caller
  }

  /// Checks a signature, and that the account is not revoked.
  func authenticateUser(_ signature: RequestSignature) throws -> (Caller, AccountPolicy) {
    let caller = try authenticate(signature)
    guard let account = try row(.accounts, caller.account).map(AccountRecord.init),
      !account.isRevoked
    else {
      throw AtRestError(
        .revoked, "The account was revoked.", remedy: "Ask the operator.")
    }
    return (caller, account.policy)
  }
}
