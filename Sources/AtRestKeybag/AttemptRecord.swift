@_spi(Tools) import AtRestCrypto
import Foundation

/// The number of wrong passcodes for a store, with the delay before the next attempt. The device
/// keeps this record outside the store.
///
/// The delay is measured with the boot-time clock: from the last attempt or, if the system was
/// restarted since the last attempt, from the restart. Setting the wall clock has no effect, and in a
/// time namespace, whose clock can be set, no delay passes.
struct AttemptRecord {
  /// The number of wrong attempts since the last correct one.
  var failed: UInt32
  /// The delay between the last attempt and the next one, in seconds.
  var pause: UInt32
  /// The time at which the last attempt began.
  var last: BootClock.Reading

  /// The longest delay, in seconds.
  static let longestPause: UInt32 = 3600

  /// The record of a store whose passcode was never tried.
  static let none = AttemptRecord(
    failed: 0, pause: 0, last: BootClock.Reading(boot: Data(count: 16), seconds: 0, date: 0))

  /// Returns the record that replaces a missing or damaged one, with the longest delay and a count
  /// one below the limit (9 if there is no limit). After the delay, a correct passcode is accepted,
  /// and a wrong one reaches the limit.
  static func worst(limit: UInt16, at now: BootClock.Reading) -> AttemptRecord {
    AttemptRecord(
      failed: limit > 0 ? UInt32(limit) - 1 : 9, pause: longestPause, last: begin(now))
  }

  /// Returns the record with one more attempt, which counts as wrong until it succeeds.
  func counting(at now: BootClock.Reading) -> AttemptRecord {
    let failed = failed == .max ? failed : failed + 1
    return AttemptRecord(failed: failed, pause: Self.pause(after: failed), last: Self.begin(now))
  }

  /// Returns the reading from which a delay is measured. A time that could have been set is replaced by
  /// one in the future, so that the delay begins with the first attempt that has a genuine clock.
  private static func begin(_ now: BootClock.Reading) -> BootClock.Reading {
    guard now.isShifted else { return now }
    var start = now
    start.seconds = .max
    return start
  }

  /// Returns the delay in seconds. From the fifth wrong attempt on, the delays are 1, 5, 15 and 15
  /// minutes, then always 60 minutes.
  private static func pause(after failed: UInt32) -> UInt32 {
    switch failed {
    case 0...4: 0
    case 5: 60
    case 6: 300
    case 7, 8: 900
    default: longestPause
    }
  }

  /// Returns the remaining delay before the next attempt, in seconds.
  func delay(at now: BootClock.Reading) -> UInt64 {
    let pause = UInt64(pause)
    // In a time namespace, no time passes.
    guard !now.isShifted else { return pause }
    guard now.mayBeOfSameBoot(as: last) else {
      return pause > now.seconds ? pause - now.seconds : 0
    }
    guard now.seconds >= last.seconds else { return pause }
    let elapsed = now.seconds - last.seconds
    return pause > elapsed ? pause - elapsed : 0
  }

  /// Returns true if the last attempt is later than the current time of the same boot, which is
  /// impossible with a genuine clock.
  func isAhead(of now: BootClock.Reading) -> Bool {
    !now.isShifted && now.mayBeOfSameBoot(as: last) && now.seconds < last.seconds
  }

  // MARK: Storage

  static func name(_ store: StoreIdentity) -> String { "\(store.text).attempts" }

  /// Returns the record, or nil if it is missing or was modified.
  static func load(
    _ store: StoreIdentity, from device: any DeviceKeyProvider
  ) throws -> AttemptRecord? {
    let stored: Data
    do {
      guard let found = try device.recall(name(store)) else { return nil }
      stored = found
    } catch let error as AtRestError where error.cause is AnchoredRecord.Invalid {
      return nil
    }
    let key = SecretBox(try key(store, device))
    return stored.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's count of attempts")
      guard let failed = try? reader.integer(UInt32.self),
        let pause = try? reader.integer(UInt32.self), let boot = try? reader.fixed(16),
        let seconds = try? reader.integer(UInt64.self),
        let date = try? reader.integer(UInt64.self), let code = try? reader.fixed(32),
        (try? reader.finish()) != nil,
        key.bytes.isValid(
          authenticationCode: Data(code), for: Array(bytes.prefix(bytes.count - code.count)))
      else { return nil }
      return AttemptRecord(
        failed: failed, pause: pause,
        last: BootClock.Reading(boot: Data(boot), seconds: seconds, date: date))
    }
  }

  func save(_ store: StoreIdentity, to device: any DeviceKeyProvider) throws {
    var writer = ByteWriter(capacity: 72)
    writer.integer(failed)
    writer.integer(pause)
    writer.fixed(last.boot)
    writer.integer(last.seconds)
    writer.integer(last.date)
    writer.fixed(try Self.key(store, device).authenticationCode(for: writer.bytes))
    try device.remember(writer.data, as: Self.name(store), durably: true)
  }

  private static func key(
    _ store: StoreIdentity, _ device: any DeviceKeyProvider
  ) throws -> SecretBytes {
    try device.tangle(SecretBytes(store.bytes), purpose: Purpose("atrest.attempts.v1"))
  }
}
