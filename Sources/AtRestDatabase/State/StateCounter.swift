import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// The number of the latest state, in an item of the keychain beside the one of the key. An older copy of
/// the database with its state is found out by it.
final class StateCounter: Sendable {
  private let item: PrimaryKey
  private let keychain: Keychain
  private let protection: ItemProtection
  private let lastRaise = Mutex<ContinuousClock.Instant?>(nil)
  private static let interval = Duration.seconds(60)

  init(_ item: PrimaryKey, _ keychain: Keychain, _ protection: ItemProtection) {
    self.item = item
    self.keychain = keychain
    self.protection = protection
  }

  /// Returns the number, or nil if there is none yet.
  func value() throws -> UInt64? {
    do {
      return try keychain.secret(for: item).withUnsafeBytes { bytes in
        var reader = ByteReader(bytes, name: "The counter of the database")
        let value: UInt64 = try reader.integer()
        try reader.finish()
        return value
      }
    } catch AtRestError.Code.notFound {
      return nil
    }
  }

  /// Raises the number. The keychain may be locked by now; the next opening raises it then.
  func raise(to sequence: UInt64) {
    lastRaise.withLock { $0 = ContinuousClock.now }
    guard let present = try? value() ?? 0, present < sequence else { return }
    try? set(sequence)
  }

  /// Sets the number, also to a lower one.
  func set(_ sequence: UInt64) throws {
    var writer = ByteWriter()
    writer.integer(sequence)
    let secret = SecretBytes(writer.data)
    do {
      try keychain.update(item, secret: secret)
    } catch AtRestError.Code.notFound {
      try keychain.add(item, secret: secret, protection: protection)
    }
  }

  /// Raises the number if that was not done for a minute.
  func raiseSometimes(to sequence: UInt64) {
    let isDue = lastRaise.withLock { last in
      last.map { ContinuousClock.now - $0 >= Self.interval } ?? true
    }
    if isDue { raise(to: sequence) }
  }
}
