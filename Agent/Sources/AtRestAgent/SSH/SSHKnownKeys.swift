import Synchronization

/// The keys for SSH in the agent's memory, by their access group, as they were when they were last read
/// from an unlocked store. The list of keys is therefore the same after a lock.
final class SSHKnownKeys: Sendable {
  private let keys = Mutex<[String: [SSHKeyBook.Key]]>([:])

  /// Returns the keys of a group.
  func keys(_ group: String) -> [SSHKeyBook.Key] { keys.withLock { $0[group] ?? [] } }

  /// Replaces the keys of a group.
  func set(_ found: [SSHKeyBook.Key], _ group: String) { keys.withLock { $0[group] = found } }
}
