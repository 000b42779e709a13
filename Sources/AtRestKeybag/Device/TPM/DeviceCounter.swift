import AtRestCrypto
import AtRestTPM
import Foundation

/// The counter of one device folder in a TPM, with its authorization value, which is derived from the
/// device key.
struct DeviceCounter: Sendable {
  let tpm: TPM
  let counter: TPMCounter
  private let authorization: SecretBox

  init(_ tpm: TPM, _ counter: TPMCounter, deviceKey: borrowing SecretBytes) {
    self.tpm = tpm
    self.counter = counter
    authorization = SecretBox(Self.authorization(deviceKey))
  }

  static func authorization(_ deviceKey: borrowing SecretBytes) -> SecretBytes {
    deviceKey.derive(Purpose("atrest.tpm-counter.v1"))
  }

  /// Steps the counter from an anchor's value, after a closure has written the next anchor. A step
  /// that an earlier anchor prepared, and a crash prevented, is taken first.
  ///
  /// - Throws: The error of ``refusal`` if the counter has another value; the errors of the TPM and
  ///   of the closure.
  func step(
    from value: UInt64, on connection: TPMConnection, writing write: () throws -> Void
  ) throws {
    var present = try connection.value(of: counter, authorization: authorization.bytes)
    if present + 1 == value {
      present = try connection.increment(counter, authorization: authorization.bytes)
    }
    guard present == value else { throw refusal }
    try write()
    guard try connection.increment(counter, authorization: authorization.bytes) == value + 1
    else { throw refusal }
  }

  /// The error for a counter that does not fit to its anchor.
  var refusal: AtRestError {
    AtRestError(
      .damaged, "The counter in the TPM has another value than the device folder expects.",
      remedy: "Restore a backup into a new store with another device folder.")
  }
}
