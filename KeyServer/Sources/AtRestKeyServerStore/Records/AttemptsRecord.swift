import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The attempts at an account. Each counts as failed until it is proved.
struct AttemptsRecord: Record {
  static let name = "A count of attempts"
  /// The highest limit that can be set.
  static let maximum = 100
  /// The most counters, which is more than an account has devices.
  static let maximumCounters = 256

  /// True if the attempts are answered with a decoy, so that they may be forgotten.
  let isDecoy: Bool
  /// The attempts that were ever counted. The last one has this number.
  private(set) var made: UInt64 = 0
  /// The attempts of the account's devices in the present year that were not proved.
  private(set) var yearly = YearlyCount()
  /// The attempts of each device, and those of strangers.
  private var counters: [AttemptCounter] = []

  init(isDecoy: Bool = false) { self.isDecoy = isDecoy }

  /// The counter of a device of the account, or of strangers.
  subscript(caller: Data) -> AttemptCounter {
    counters.first { $0.caller == caller } ?? AttemptCounter(caller: caller, after: made)
  }

  /// The attempts since the last proof of each device.
  var pendingCount: Int { counters.reduce(0) { $0 + $1.pending.count } }
  /// The latest time before which a device, or a stranger, has to wait.
  var lockedUntil: Int64 { counters.map(\.lockedUntil).max() ?? 0 }

  /// Shortens a year that began in the future.
  ///
  /// - Returns: True if it was shortened.
  mutating func boundYear(to now: Int64) -> Bool { yearly.bound(to: now) }

  /// Counts an attempt in a counter, which is stored.
  ///
  /// - Throws: ``AtRestError/Code/throttled`` if there are too many counters.
  mutating func add(
    _ attempt: Data, to counter: inout AttemptCounter, delay: Int64, isOwn: Bool, now: Int64
  ) throws(AtRestError) {
    counter.add(.init(id: attempt, number: made + 1), delay: delay, now: now)
    try set(counter)
    made += 1
    if isOwn { yearly.add(now) }
  }

  /// Stores a counter.
  ///
  /// - Throws: ``AtRestError/Code/throttled`` if there are too many.
  mutating func set(_ counter: AttemptCounter) throws(AtRestError) {
    if let index = counters.firstIndex(where: { $0.caller == counter.caller }) {
      counters[index] = counter
    } else {
      guard counters.count < Self.maximumCounters else {
        throw AtRestError(
          .throttled, "Too many devices of the account have attempts that were not proved.",
          remedy: "Ask the operator to unlock the account.", cause: RetryTime(date: nil))
      }
      counters.append(counter)
    }
  }

  /// Notes the proof of an attempt.
  ///
  /// - Returns: The attempts that nobody proved since the caller's last proof; nil if the attempt is not known,
  ///   or was proved before.
  mutating func prove(_ attempt: Data, by caller: Data, isOwn: Bool) throws -> UInt64? {
    var counter = self[caller]
    guard let number = counter.settle(attempt) else { return nil }
    try set(counter)
    for index in counters.indices { counters[index].noteProof(of: number) }
    if isOwn { yearly.remove() }
    counter = self[caller]
    let unproved = counter.visit(made)
    try set(counter)
    return unproved
  }

  /// Notes the registration of a passphrase, whose attempt needs no proof. A first one resets the caller's attempts.
  ///
  /// - Parameter former: The attempt with which the former passphrase is proved, or nil for a first one.
  mutating func noteRegistration(by caller: Data, former: Data?) throws {
    var counter = self[caller]
    let number = counter.takeLatest(but: former)
    if former == nil { counter.reset() }
    try set(counter)
    guard let number else { return }
    for index in counters.indices { counters[index].noteProof(of: number) }
    yearly.remove()
  }

  /// Forgets the counter of a device that was revoked.
  mutating func remove(_ caller: Data) { counters.removeAll { $0.caller == caller } }

  init(reading reader: inout MessageReader) throws {
    isDecoy = try reader.flag()
    made = try reader.integer()
    yearly = YearlyCount(start: try reader.integer(), count: try reader.integer())
    let count = Int(try reader.integer(UInt16.self))
    guard count <= Self.maximumCounters else {
      throw AtRestError(damaged: "A count of attempts has \(count) counters.")
    }
    for _ in 0..<count { counters.append(try AttemptCounter(reading: &reader)) }
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(UInt8(isDecoy ? 1 : 0))
    writer.integer(made)
    writer.integer(yearly.start)
    writer.integer(yearly.count)
    writer.integer(UInt16(counters.count))
    counters.forEach { $0.write(to: &writer) }
  }
}
