@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// The device's record of the database: the number and salt of its last transaction. The record
/// detects a copy of the database that is older or belongs to another history.
///
/// A committed write never fails because the device could not record the write. Such a failure is
/// logged and listed in the risks. Recording is tried again with the next write and at the next
/// opening.
final class KeychainAnchor: Sendable {
  struct State: Equatable {
    var counter: UInt64
    var salt: UInt64

    init(_ head: ItemIndex.Head) {
      counter = head.counter
      salt = head.salt
    }

    init(counter: UInt64, salt: UInt64) {
      self.counter = counter
      self.salt = salt
    }
  }

  private struct Progress {
    /// The newest state that the device recorded, and whether it was recorded durably.
    var told: State?
    var isDurable = false
    var failure: AtRestError?
  }

  private let keybag: Keybag
  private let authenticator: MessageAuthenticator
  private let name: String
  private let progress = Mutex(Progress())

  init(_ keybag: Keybag) throws {
    self.keybag = keybag
    name = "\(keybag.store.text).counter"
    let key = try keybag.device.tangle(
      SecretBytes(keybag.store.bytes), purpose: Purpose("atrest.counter.v1"))
    authenticator = try MessageAuthenticator(key)
  }

  /// The reason why the device could not record the last change, or nil.
  var risk: StoreRisk? {
    guard let failure = progress.withLock({ $0.failure }) else { return nil }
    return StoreRisk(
      id: "anchor-behind",
      message: "The device could not remember the last change: an older copy of the store "
        + "would not be detected. \(failure.message)",
      remedy: failure.remedy)
  }

  // MARK: Reading

  /// Reads the device's record. The result is nil if there is no record.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` if the record was modified.
  func read() throws -> State? {
    // The record is written in place. A reader that meets a half-written record reads again.
    for _ in 0..<3 {
      if let state = try? decode() { return state }
    }
    return try decode()
  }

  private func decode() throws -> State? {
    guard let stored = try keybag.device.recall(name) else { return nil }
    return try stored.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's counter of the store")
      let state = State(counter: try reader.integer(), salt: try reader.integer())
      let covered = Data(bytes.prefix(reader.offset))
      let code = Data(try reader.fixed(16))
      try reader.finish()
      guard authenticationCode(for: covered) == code else {
        throw AtRestError(
          .rolledBack, "The device's counter of the store was modified.",
          remedy: "If you trust the store as it is, accept it: atrest restore --accept-older.")
      }
      return state
    }
  }

  /// Compares a database with the device's record.
  ///
  /// - Throws: ``AtRestError/Code/rolledBack`` if the database is older or belongs to another
  ///   history, or if the device has no record.
  func check(
    _ head: ItemIndex.Head, seen: State?, accepting: Bool, _ path: String
  ) throws {
    guard !accepting else { return }
    let remedy = "If you restored it yourself, accept it: atrest restore --accept-older."
    guard let seen else {
      throw AtRestError(
        .rolledBack, "The device does not remember the keychain \(path).", remedy: remedy)
    }
    guard head.counter >= seen.counter else {
      throw AtRestError(
        .rolledBack,
        "The keychain \(path) was restored to change \(head.counter); the device remembers "
          + "\(seen.counter).", remedy: remedy)
    }
    guard head.counter > seen.counter || head.salt == seen.salt else {
      throw AtRestError(
        .rolledBack,
        "The keychain \(path) has a change \(head.counter) that differs from the one that the "
          + "device remembers.", remedy: remedy)
    }
    // This object has recorded nothing on the device yet, so there is nothing to make durable.
    progress.withLock { $0 = Progress(told: seen, isDurable: true) }
  }

  private func authenticationCode(for bytes: Data) -> Data {
    bytes.withUnsafeBytes { authenticator.authenticationCode(for: $0) }.withUnsafeBytes { Data($0) }
  }

  // MARK: Writing

  /// Records a state on the device.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the device cannot record the state.
  func write(_ head: ItemIndex.Head, durably: Bool) throws {
    try write(State(head), durably: durably)
  }

  /// Records durably that a database is being created, before its first commit. Without this, a database
  /// whose process ended between the two would look like one that the device has forgotten.
  func begin() throws { try write(State(counter: 0, salt: 0), durably: true) }

  private func write(_ state: State, durably: Bool) throws {
    var writer = ByteWriter(capacity: 32)
    writer.integer(state.counter)
    writer.integer(state.salt)
    writer.fixed(authenticationCode(for: writer.data))
    try keybag.device.remember(writer.data, as: name, durably: durably)
    progress.withLock { $0 = Progress(told: state, isDurable: durably) }
  }

  /// Records a state that is already committed, unless a state at least as new is recorded. A
  /// failure is noted and logged, but not thrown.
  func raise(to head: ItemIndex.Head, durably: Bool) {
    guard progress.withLock({ $0.told.map { $0.counter < head.counter } ?? true }) else { return }
    do {
      try write(head, durably: durably)
    } catch {
      let failure = AtRestError.from(error, path: "the device folder")
      progress.withLock { $0.failure = failure }
      KeychainLog.logger.warning(
        "The device could not remember the last change",
        metadata: ["error": "\(failure.message)"])
    }
  }

  /// Makes the record durable when the database is closed.
  func settle(_ head: ItemIndex.Head) {
    let isDue = progress.withLock { progress in
      progress.told == State(head) && !progress.isDurable || progress.failure != nil
    }
    guard isDue else { return }
    // Another process may have recorded a later change in the meantime.
    if let seen = try? read(), seen.counter > head.counter { return }
    try? write(head, durably: true)
  }
}
