import AtRestKeychain
import AtRestCrypto
import Foundation
import Synchronization

/// Keys that a client added for a time, as `ssh-add` does. They are only in memory.
final class SSHMemoryKeys: Sendable {
  /// A key in memory.
  struct Key: Sendable {
    let publicKey: SSHPublicKey
    let comment: String
    let secret: AgentSecret
    /// The time at which the key is forgotten, or nil.
    let end: ContinuousClock.Instant?
    /// True if each use has to be confirmed.
    let needsConfirmation: Bool
  }

  private static let most = 256
  private let keys = Mutex<[Key]>([])

  /// Returns the keys whose time has not ended.
  func all(at now: ContinuousClock.Instant = .now) -> [Key] {
    keys.withLock { keys in
      keys.removeAll { $0.end.map { $0 <= now } ?? false }
      return keys
    }
  }

  /// Adds a key, in place of the same one.
  ///
  /// - Returns: False if there are too many keys.
  func add(_ key: Key) -> Bool {
    keys.withLock { keys in
      keys.removeAll { $0.publicKey.blob == key.publicKey.blob }
      guard keys.count < Self.most else { return false }
      keys.append(key)
      return true
    }
  }

  /// Removes a key. Returns false if it is not there.
  func remove(_ blob: Data) -> Bool {
    keys.withLock { keys in
      let count = keys.count
      keys.removeAll { $0.publicKey.blob == blob }
      return keys.count < count
    }
  }

  func removeAll() { keys.withLock { $0.removeAll() } }
}
