import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The attempts of one device at its account, or of all strangers.
struct AttemptCounter {
  /// An attempt, with its number among all of the account.
  struct Attempt {
    let id: Data
    let number: UInt64
  }

  /// The caller of requests that no device of the account signed.
  static let stranger = Data(count: Limits.identifier)
  /// The attempts that are remembered after another one was proved.
  private static let maximumSettled = 32

  /// The identifier of the device.
  let caller: Data
  /// The attempts since the last proof, the oldest first.
  private(set) var pending: [Attempt] = []
  /// Attempts before the last proof. Each can still be proved, because several processes of a device may be at work
  /// at the same time. They do not count.
  private var settled: [Attempt] = []
  /// The time before which no attempt is allowed, in milliseconds since 1970.
  private(set) var lockedUntil: Int64 = 0
  /// The number of the account's last attempt at the last proof.
  private var seen: UInt64
  /// The attempts after that which were proved.
  private var proved: UInt64 = 0

  init(caller: Data, after number: UInt64) {
    self.caller = caller
    seen = number
  }

  /// Counts an attempt, after which the caller has to wait.
  mutating func add(_ attempt: Attempt, delay: Int64, now: Int64) {
    pending.append(attempt)
    lockedUntil = delay == 0 ? 0 : now + delay
  }

  /// Shortens a wait that is longer than the delay: the clock was ahead when it began.
  ///
  /// - Returns: True if the wait was shortened.
  mutating func bound(to delay: Int64, now: Int64) -> Bool {
    guard lockedUntil > now + delay else { return false }
    lockedUntil = now + delay
    return true
  }

  /// Ends the attempts after one of them was proved.
  ///
  /// - Returns: The number of the attempt, or nil if it is not one of them.
  mutating func settle(_ attempt: Data) -> UInt64? {
    guard let found = (pending + settled).first(where: { $0.id == attempt }) else { return nil }
    settled = Array((settled + pending).filter { $0.id != attempt }.suffix(Self.maximumSettled))
    pending = []
    lockedUntil = 0
    return found.number
  }

  /// Takes the latest attempt out, apart from one.
  ///
  /// - Returns: Its number, or nil if no other attempt is left.
  mutating func takeLatest(but attempt: Data?) -> UInt64? {
    guard let index = pending.lastIndex(where: { $0.id != attempt }) else { return nil }
    return pending.remove(at: index).number
  }

  /// Ends the wait, and forgets the attempts since the last proof.
  mutating func reset() {
    pending = []
    lockedUntil = 0
  }

  /// Notes that an attempt of the account was proved.
  mutating func noteProof(of number: UInt64) { if number > seen { proved += 1 } }

  /// Begins to count after the account's last attempt.
  ///
  /// - Returns: The attempts since the last visit that were not proved.
  mutating func visit(_ last: UInt64) -> UInt64 {
    defer { (seen, proved) = (last, 0) }
    // A row that was put back may not fit the others.
    let made = last > seen ? last - seen : 0
    return made - min(made, proved)
  }

  init(reading reader: inout MessageReader) throws {
    caller = try reader.fixed(Limits.identifier)
    lockedUntil = try reader.integer()
    seen = try reader.integer()
    proved = try reader.integer()
    pending = try Self.attempts(&reader, AttemptsRecord.maximum)
    settled = try Self.attempts(&reader, Self.maximumSettled)
  }

  private static func attempts(_ reader: inout MessageReader, _ limit: Int) throws -> [Attempt] {
    let count = Int(try reader.integer(UInt8.self))
    guard count <= limit else {
      throw AtRestError(damaged: "A count of attempts has \(count) attempts.")
    }
    return try (0..<count).map { _ in
      Attempt(id: try reader.fixed(Limits.identifier), number: try reader.integer())
    }
  }

  func write(to writer: inout MessageWriter) {
    writer.fixed(caller)
    writer.integer(lockedUntil)
    writer.integer(seen)
    writer.integer(proved)
    for attempts in [pending, settled] {
      writer.integer(UInt8(attempts.count))
      for attempt in attempts {
        writer.fixed(attempt.id)
        writer.integer(attempt.number)
      }
    }
  }
}
