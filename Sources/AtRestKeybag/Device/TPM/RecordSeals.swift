import AtRestCrypto
import AtRestTPM
import Foundation
import Synchronization

/// Seals the secret records of one device in its TPM, and unseals them.
final class RecordSeals: Sendable {
  private struct Known {
    let stored: Data
    let data: SecretBox
  }

  private let tpm: TPM
  private let authorization: SecretBox
  /// The records that were unsealed last, so that a record that did not change needs the TPM once.
  private let known = Mutex<[String: Known]>([:])

  init(_ tpm: TPM, deviceKey: borrowing SecretBytes) {
    self.tpm = tpm
    authorization = SecretBox(DeviceCounter.authorization(deviceKey))
  }

  /// Returns the data of a record, which the caller erases, or nil if the TPM refuses it because its
  /// counter was stepped since.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the record's counter is gone, or the record was modified;
  ///   the errors of the TPM.
  func data(in stored: Data, name: String) throws -> Data? {
    let last = known.withLock { $0[name] }
    if let last, last.stored == stored { return Data(copying: last.data.bytes) }
    let record = try SealedRecord(stored, name: name)
    let opened: SecretBox? = try tpm.perform { connection in
      let value = try connection.value(of: record.counter, authorization: authorization.bytes)
      guard let seal = record.seals.first(where: { $0.value == value }),
        let secret = try connection.unseal(
          seal.object, whileAt: value, of: record.counter, authorization: authorization.bytes)
      else { return nil }
      return SecretBox(secret)
    }
    guard let opened else { return nil }
    known.withLock { $0[name] = Known(stored: stored, data: opened) }
    return Data(copying: opened.bytes)
  }

  /// Replaces a record: writes the new data, sealed for the present value of the record's counter and
  /// for the next one, and then steps the counter, from where on the TPM refuses the former data.
  ///
  /// - Parameters:
  ///   - former: The present record, or nil if there is none. Its counter is used again.
  ///   - isNamed: Returns true if the record on the disk has a counter, or cannot be read.
  ///   - write: Writes the new record durably. It may fail after the record has its name.
  func replace(
    _ former: SealedRecord?, with data: Data, name: String, on connection: TPMConnection,
    naming isNamed: (TPMCounter) -> Bool, writing write: (Data) throws -> Void
  ) throws {
    let (counter, value, isNew) = try present(former?.counter, connection)
    do {
      let record = SealedRecord(
        counter,
        try [value, value + 1].map { value in
          SealedRecord.Seal(
            value: value,
            object: try connection.seal(SecretBytes(data), whileAt: value, of: counter))
        })
      try write(record.encoded)
      known.withLock {
        $0[name] = Known(stored: record.encoded, data: SecretBox(SecretBytes(data)))
      }
    } catch {
      // The memory of the TPM is all that is lost if this fails too.
      if isNew, !isNamed(counter) { try? connection.undefine(counter) }
      throw error
    }
    try connection.increment(counter, authorization: authorization.bytes)
  }

  private func present(
    _ counter: TPMCounter?, _ connection: TPMConnection
  ) throws -> (TPMCounter, value: UInt64, isNew: Bool) {
    if let counter {
      do {
        return (
          counter, try connection.value(of: counter, authorization: authorization.bytes), false
        )
      } catch AtRestError.Code.damaged {
        // It was deleted, and what it protected is lost. A wipe still needs its record.
      }
    }
    let (counter, value) = try connection.defineCounter(authorization: authorization.bytes)
    return (counter, value, true)
  }

  /// Seals the data of a record that had no counter yet.
  static func sealed(
    _ data: Data, on connection: TPMConnection, authorization: borrowing SecretBytes
  ) throws -> SealedRecord {
    let (counter, value) = try connection.defineCounter(authorization: authorization.duplicate())
    do {
      let object = try connection.seal(SecretBytes(data), whileAt: value, of: counter)
      return SealedRecord(counter, [SealedRecord.Seal(value: value, object: object)])
    } catch {
      try? connection.undefine(counter)
      throw error
    }
  }

  /// Frees a counter in the TPM's memory.
  func free(_ counter: TPMCounter) throws { try tpm.perform { try $0.undefine(counter) } }

  /// Forgets what was unsealed.
  func forget(_ name: String) { known.withLock { $0[name] = nil } }
}
