import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// The time that expiry in a vault goes by: that of the system, and never before the latest time that the
/// vault has seen.
///
/// A clock that is put back therefore keeps no value longer. While it is behind, time goes on from the
/// latest time as the process runs. The latest time is an item of the keychain, `docs/Formats.md`, *The
/// Vault's clock*.
final class VaultClock: Sendable {
  /// How far the item may stay behind: a reading need not cost a write.
  static let lag: TimeInterval = 60
  private static let version: UInt8 = 1

  private struct State {
    var latest = Date.distantPast
    var since = ContinuousClock.now
    /// What the item has, as far as this process knows.
    var remembered: Date?
  }
  private let state = Mutex(State())
  private let keychain: Keychain
  private let key: PrimaryKey

  init(_ keychain: Keychain, _ key: PrimaryKey) {
    self.keychain = keychain
    self.key = key
  }

  /// The time now.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` where the item is: what has expired cannot be told then.
  func now() throws -> Date {
    let system = keychain.now
    let (now, isDue) = state.withLock { state in
      let now = Self.advance(&state, system)
      return (now, state.remembered.map { abs(now.timeIntervalSince($0)) >= Self.lag } ?? true)
    }
    return isDue ? try remember(now) : now
  }

  private static func advance(_ state: inout State, _ system: Date) -> Date {
    guard system < state.latest else {
      state.latest = system
      state.since = .now
      return system
    }
    return state.latest.addingTimeInterval((.now - state.since) / .seconds(1))
  }

  private func remember(_ now: Date) throws -> Date {
    do {
      let known = try keychain.transaction { () throws -> Date in
        if let known = try read(), known.addingTimeInterval(Self.lag) > now { return known }
        try keychain.set(key, secret: Self.encoded(now), protection: .accessible(.always))
        return now
      }
      return state.withLock { state in
        state.remembered = known
        guard known > now else { return now }
        // Another process, or an earlier one, has seen a later time.
        state.latest = max(state.latest, known)
        state.since = .now
        return known
      }
    } catch let error as AtRestError where error.refusal == nil {
      // A full disk or a busy database does not keep a value from being read.
      return now
    }
  }

  private func read() throws -> Date? {
    do {
      return try keychain.secret(for: key).withUnsafeBytes { bytes in
        var reader = ByteReader(bytes, name: "The vault's clock")
        let version = try reader.integer(UInt8.self)
        guard version == Self.version else {
          throw AtRestError(
            .unsupportedVersion,
            "The vault's clock has version \(version), and \(Self.version) is known.",
            remedy: "Use a later version of AtRest.")
        }
        let milliseconds = try reader.integer(Int64.self)
        try reader.finish()
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      }
    } catch AtRestError.Code.notFound {
      return nil
    }
  }

  private static func encoded(_ time: Date) -> SecretBytes {
    var writer = ByteWriter()
    writer.integer(version)
    writer.integer(Int64((time.timeIntervalSince1970 * 1000).rounded()))
    return SecretBytes(writer.bytes)
  }
}
