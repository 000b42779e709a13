import AtRestCrypto
import CAtRestSystem
import Foundation

/// A lock that does not use the agent's socket.
///
/// A lock is announced in the store's file `lock`, for which a thread of the agent waits, and confirmed
/// there. No connection, no identification and no other request is in its way, whatever other programs ask
/// of the agent.
@_spi(Tools) public enum AgentLock {
  /// Locks the store in all processes, if an agent serves it.
  ///
  /// - Parameters:
  ///   - folder: The store's folder.
  ///   - patience: The time to wait for the agent.
  /// - Returns: True if the agent has erased its keys. False if no agent runs, or if it has not confirmed
  ///   the lock in time, as one that was stopped: then only the agent's socket can tell.
  public static func lock(storeIn folder: URL, patience: Duration = .seconds(2)) -> Bool {
    atrest_prefer_latency()
    guard AgentClaimFile.isHeld(in: folder),
      let notice = try? LockNotice(in: FolderStorage(folder)),
      case let before = notice.confirmed,
      let count = try? notice.announce().after,
      // A number that was there before proves nothing.
      before.map({ !LockNotice.isConfirmed(count, by: $0) }) ?? true
    else { return false }
    return notice.waitUntilConfirmed(count, atMost: patience)
  }
}
