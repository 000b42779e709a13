@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// The clock by which values in a vault expire. The vault's time never runs backwards and never
/// stands still.
///
/// The vault's time follows the system's clock until that clock is set back. From then on, the
/// vault's time continues from the latest time that the vault has seen, at the pace of the system's
/// clock. The latest time and the system's time are stored in a keychain item; see
/// `docs/Formats.md`, *The Vault's clock*.
final class VaultClock: Sendable {
  /// The largest difference in seconds between the time in the item and the vault's time. A smaller
  /// difference is not written, so that most readings cost no write.
  static let lag: TimeInterval = 60
  private static let version: UInt8 = 1

  /// The vault's time and the system's time at one moment. The two differ after the system's clock
  /// was set back.
  struct Reading {
    var latest: Date
    var system: Date
    /// A random number that is drawn when the system's time is accepted as correct. Times are
    /// compared only within one era. nil until the item is read or created.
    var era: UInt64?

    static func now(_ system: Date) -> Reading { Reading(latest: system, system: system) }

    /// Returns the reading at another time of the system's clock, which may have been set back.
    ///
    /// If the system's clock is behind by less than a minute, the vault's time waits until the
    /// clock has caught up. If the clock is further behind, the vault's time continues from the
    /// latest time.
    func advanced(to now: Date) -> Reading {
      let isFarBehind = latest.timeIntervalSince(system) >= VaultClock.lag
      let passed = isFarBehind ? max(0, now.timeIntervalSince(system)) : 0
      return Reading(
        latest: max(now, latest.addingTimeInterval(passed)), system: now, era: era)
    }
  }

  private struct State {
    var reading: Reading?
    /// The vault's time at an earlier reading, and the moment of that reading on a clock that
    /// cannot be set.
    var first: (latest: Date, taken: ContinuousClock.Instant)?
    /// The reading in the item, as far as this process knows.
    var stored: Reading?
  }
  private let state = Mutex(State())
  private let keychain: Keychain
  private let key: PrimaryKey

  init(_ keychain: Keychain, _ key: PrimaryKey) {
    self.keychain = keychain
    self.key = key
  }

  /// Returns the current time.
  ///
  /// - Throws: An error if the item cannot be read, so that expiry cannot be determined, such as
  ///   ``AtRestError/Code/damaged``. If only writing fails, the call does not throw.
  func now() throws -> Date {
    let system = keychain.now
    let (reading, isDue) = state.withLock { state in
      let reading = Self.advance(&state, system)
      return (reading, state.stored.map { Self.isDue(reading, after: $0) } ?? true)
    }
    return isDue ? try store(reading).latest : reading.latest
  }

  /// Accepts the system's time as correct, even if it is before the latest time. Other processes
  /// adopt this time when they next read the item, within a minute of use.
  func trustSystem() throws {
    var reading = Reading.now(keychain.now)
    reading.era = .random(in: .min ... .max)
    // A damaged item is replaced.
    try write(reading)
    state.withLock { $0 = State(reading: reading, first: (reading.latest, .now), stored: reading) }
  }

  private static func advance(_ state: inout State, _ system: Date) -> Reading {
    var reading = state.reading?.advanced(to: system) ?? .now(system)
    if let first = state.first {
      // The vault's time also advances if the system's clock is set back again and again. The two
      // clocks run at slightly different rates, and the difference must not add up.
      let passed = 0.999 * ((ContinuousClock.now - first.taken) / .seconds(1)) - lag
      reading.latest = max(reading.latest, first.latest.addingTimeInterval(passed))
    } else {
      state.first = (reading.latest, .now)
    }
    state.reading = reading
    return reading
  }

  private static func isDue(_ reading: Reading, after stored: Reading) -> Bool {
    let wasPutBack = reading.system < stored.system
    return wasPutBack || reading.latest.timeIntervalSince(stored.latest) >= lag
  }

  /// Stores a reading, unless another process has stored a later one or corrected the time. Returns
  /// the reading that is valid.
  private func store(_ reading: Reading) throws -> Reading {
    var latest = reading
    var isRead = false
    do {
      let stored = try keychain.transaction { () throws -> Reading in
        latest = reading
        isRead = false
        let stored = try read()
        isRead = true
        if let stored {
          let known = stored.advanced(to: reading.system)
          // The era in the item takes precedence. Within one era, the later time takes precedence.
          if known.era != latest.era || known.latest > latest.latest { latest = known }
          guard Self.isDue(latest, after: stored) else { return stored }
        }
        latest.era = latest.era ?? .random(in: .min ... .max)
        try write(latest)
        return latest
      }
      // A caller's transaction may still be rolled back.
      if !keychain.isInTransaction { state.withLock { $0.stored = stored } }
    } catch let error as AtRestError where error.refusal == nil && isRead {
      // A full disk must not prevent a value from being read. The time in the item applies all the
      // same, and the next reading tries to write again.
    }
    adopt(latest)
    return latest
  }

  private func adopt(_ latest: Reading) {
    state.withLock { state in
      guard let mine = state.reading, latest.era != mine.era || latest.latest > mine.latest
      else { return }
      state.reading = latest
      state.first = (latest.latest, .now)
    }
  }

  private func write(_ reading: Reading) throws {
    // atrest:ignore keychain-accessible-always two times and no secret
    try keychain.set(key, secret: Self.encoded(reading), protection: .accessible(.always))
  }

  private func read() throws -> Reading? {
    do {
      return try keychain.secret(for: key).withUnsafeBytes { bytes in
        var reader = ByteReader(bytes, name: "The vault's clock")
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else {
          throw AtRestError.unsupported("The vault's clock", version: version, known: Self.version)
        }
        let reading = Reading(
          latest: Self.date(try reader.integer()), system: Self.date(try reader.integer()),
          era: try reader.integer(UInt64.self))
        try reader.finish()
        return reading
      }
    } catch AtRestError.Code.notFound {
      return nil
    }
  }

  private static func date(_ milliseconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  private static func encoded(_ reading: Reading) -> SecretBytes {
    var writer = ByteWriter()
    writer.integer(version)
    for time in [reading.latest, reading.system] {
      writer.integer(Int64((time.timeIntervalSince1970 * 1000).rounded()))
    }
    writer.integer(reading.era ?? 0)
    return SecretBytes(writer.bytes)
  }
}
