import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// A device. Its owner is the account's identifier.
struct DeviceRecord: Record {
  static let name = "A device"

  /// A P-256 public key in X9.63 form.
  var publicKey: Data
  var label: String
  /// The time of the revocation in milliseconds since 1970, or 0.
  var revokedAt: Int64 = 0
  /// The sequence number of the last request.
  var sequence: UInt64 = 0

  init(publicKey: Data, label: String, sequence: UInt64) {
    self.publicKey = publicKey
    self.label = label
    self.sequence = sequence
  }

  init(reading reader: inout MessageReader) throws {
    publicKey = try reader.fixed(65)
    label = try reader.text(limit: Limits.label)
    revokedAt = try reader.integer()
    sequence = try reader.integer()
  }

  func write(to writer: inout MessageWriter) {
    writer.fixed(publicKey)
    writer.counted(utf8: label)
    writer.integer(revokedAt)
    writer.integer(sequence)
  }
}
