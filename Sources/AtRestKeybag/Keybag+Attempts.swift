import AtRestCrypto
import CAtRestSystem
import Foundation
import Synchronization

/// Passcode attempts.
extension Keybag {
  /// A function that returns true if the process was told to end. The current attempt is then not
  /// counted. Set the function once in a program that handles signals.
  package static let isInterrupted = Mutex<@Sendable () -> Bool>({ false })

  /// Tries a passcode, then runs a closure with the class keys, both while holding the device's
  /// lock.
  func attempt(
    _ passcode: SecretBox, then body: (inout State, ClassKeys) throws -> Void
  ) throws {
    defer { atrest_erase_stack() }
    try tellingOfLostKeys {
      try Self.inTurn(device, store) { try attemptInTurn(passcode, then: body) }
    }
  }

  private func attemptInTurn(
    _ passcode: SecretBox, then body: (inout State, ClassKeys) throws -> Void
  ) throws {
    let (file, effaceable) = try state.withLock { state in
      try reload(&state)
      return (state.file, try self.effaceable(state))
    }
    guard file.hasPasscode else {
      throw AtRestError(
        .passcodeNotSet, "The store in \(storage.location) has no passcode.",
        remedy: "Use it without one, or set one first.")
    }
    let before = try admit(file)
    let counted = before.counting(at: clock.now())
    try counted.save(store, to: device)
    // Other threads continue to use the current keys while the KDF runs.
    let keys: ClassKeys
    do {
      keys = try unwrapAll(
        file, passcode: passcode, effaceable: effaceable, checking: Self.checkInterruption)
    } catch AtRestError.Code.authenticationFailed {
      guard Self.isReached(file.attemptLimit, by: counted) else {
        throw Self.wrongPasscode(after: counted, limit: file.attemptLimit)
      }
      throw wipeAfterAttempts(counted)
    } catch {
      // The passcode was not tried, or the result is unknown: the attempt reveals nothing about the
      // passcode, so it is not counted. If this fails, one attempt too many is counted.
      try? before.save(store, to: device)
      throw Self.withCount(of: before, error)
    }
    try AttemptRecord.none.save(store, to: device)
    try state.withLock { state in
      guard state.effaceable != nil else { throw refusalWithoutKeys(state) }
      try body(&state, keys)
    }
  }

  /// Returns the record before an attempt, or throws an error if no attempt is allowed now.
  private func admit(_ file: KeybagFile) throws -> AttemptRecord {
    let now = clock.now()
    var record: AttemptRecord
    if let known = try AttemptRecord.load(store, from: device) {
      record = known
      if record.isAhead(of: now) {
        // The delay is measured from now on, so that it ends.
        record.last = now
        try record.save(store, to: device)
      }
    } else {
      record = .worst(limit: file.attemptLimit, at: now)
      try record.save(store, to: device)
    }
    // This is checked before the passcode is tried, so a failed wipe never allows further attempts.
    guard !Self.isReached(file.attemptLimit, by: record) else { throw wipeAfterAttempts(record) }
    try Self.refuseDelay(record, at: now)
    return record
  }

  /// Refuses while an attempt would be refused for a delay after wrong passcodes. Programs call this before they ask
  /// for a passcode, so that nobody types one that is not tried.
  ///
  /// - Throws: ``AtRestError/Code/throttled``; other errors if the device cannot provide the count.
  @_spi(Tools) public func refuseDelay() throws {
    guard let record = try AttemptRecord.load(store, from: device) else { return }
    let now = clock.now()
    // Where the clock is behind the record, an attempt mends that.
    if !record.isAhead(of: now) { try Self.refuseDelay(record, at: now) }
  }

  private static func refuseDelay(_ record: AttemptRecord, at now: BootClock.Reading) throws {
    let delay = record.delay(at: now)
    guard delay == 0 || !now.isShifted else {
      throw AtRestError(
        .throttled,
        "After \(record.failed) wrong passcodes there is a delay, and it does not pass in a time "
          + "namespace, whose clock can be set.",
        remedy: "Run the program outside of the time namespace, and wait there.")
    }
    guard delay == 0 else {
      throw AtRestError(
        .throttled,
        "After \(record.failed) wrong passcodes, the next attempt is allowed in \(delay) seconds.",
        remedy: "Wait, and try again.")
    }
  }

  /// Returns the error of a device that accepts no passcode now, with AtRest's own count beside the
  /// device's. A TPM also counts power cuts, and what other programs do.
  private static func withCount(of record: AttemptRecord, _ error: any Error) -> any Error {
    guard let error = error as? AtRestError, error.code == .throttled else { return error }
    let own =
      switch record.failed {
      case 0: "AtRest has counted no wrong passcode of this store since the last right one."
      case 1: "AtRest has counted 1 wrong passcode of this store since the last right one."
      default:
        "AtRest has counted \(record.failed) wrong passcodes of this store since the last right one."
      }
    return AtRestError(
      .throttled, "\(error.message) \(own)", remedy: error.remedy, cause: error.cause)
  }

  private static func isReached(_ limit: UInt16, by record: AttemptRecord) -> Bool {
    limit > 0 && record.failed >= limit
  }

  private static func checkInterruption() throws {
    guard
      isInterrupted.withLock({ $0 })() || withUnsafeCurrentTask(body: { $0?.isCancelled == true })
    else { return }
    throw AtRestError(
      .canceled, "The attempt was interrupted before the passcode was tried.",
      remedy: "Try again; the attempt does not count.")
  }

  static var wrongPasscode: AtRestError {
    AtRestError(
      .authenticationFailed, "The passcode is wrong.",
      remedy: "Try again. A delay begins after five wrong passcodes.")
  }

  /// The error of a wrong passcode, with the number of attempts that a store with a limit has left.
  private static func wrongPasscode(after record: AttemptRecord, limit: UInt16) -> AtRestError {
    guard limit > 0 else { return wrongPasscode }
    let left = Int(limit) - Int(record.failed)
    return AtRestError(
      .authenticationFailed,
      "The passcode is wrong. The store is wiped after "
        + "\(left == 1 ? "1 more wrong passcode" : "\(left) more wrong passcodes").",
      remedy: limit > 5
        ? "Make sure of the passcode first. A delay begins after five wrong passcodes."
        : "Make sure of the passcode first.")
  }

  private func wipeAfterAttempts(_ record: AttemptRecord) -> AtRestError {
    var cause: (any Error)?
    do {
      try state.withLock { try wipe(&$0) }
    } catch {
      // Files that remain are refused nevertheless: the device has recorded either the wipe or the
      // number of attempts.
      cause = error
    }
    return AtRestError(
      .wiped,
      "The store in \(storage.location) was wiped after \(record.failed) wrong passcodes.",
      remedy: "Create a new store and restore a backup.", cause: cause)
  }
}
