import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The attempts since the last proof, each of which counts as failed.
struct AttemptsRecord: Record {
  static let name = "A count of attempts"
  /// The highest limit that can be set.
  static let maximum = 100

  /// The identifiers of the attempts, the oldest first.
  var pending: [Data]
  /// The time before which no attempt is allowed, in milliseconds since 1970.
  var lockedUntil: Int64
  /// True if the attempts are answered with a decoy, so that they may be forgotten.
  let isDecoy: Bool

  init(pending: [Data] = [], lockedUntil: Int64 = 0, isDecoy: Bool = false) {
    self.pending = pending
    self.lockedUntil = lockedUntil
    self.isDecoy = isDecoy
  }

  init(reading reader: inout MessageReader) throws {
    lockedUntil = try reader.integer()
    isDecoy = try reader.flag()
    pending = []
    let count = Int(try reader.integer(UInt8.self))
    guard count <= Self.maximum else {
      throw AtRestError(damaged: "A count of attempts has \(count) attempts.")
    }
    for _ in 0..<count { pending.append(try reader.fixed(Limits.identifier)) }
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(lockedUntil)
    writer.integer(UInt8(isDecoy ? 1 : 0))
    writer.integer(UInt8(pending.count))
    pending.forEach { writer.fixed($0) }
  }
}
