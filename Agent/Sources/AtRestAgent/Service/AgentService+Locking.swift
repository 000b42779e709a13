import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The lock state.
///
/// Locks are counted before the keys are erased, and again when they are. Whatever waits notes the number before,
/// and compares it afterwards: what began before the keys were erased ends without a result.
extension AgentService {
  /// A number that grows with each lock.
  var locks: UInt64 { lockCount.number }

  /// Throws ``AtRestError/Code/locked`` if the store was locked since the number of locks was noted.
  func checkNoLock(since locks: UInt64) throws {
    guard self.locks == locks else { throw refusalAfterLock }
  }

  /// Throws ``AtRestError/Code/locked`` if the store is locked.
  func checkUnlocked() throws {
    guard isUnlocked else {
      throw AtRestError(.locked, "The store is locked.", remedy: "Unlock it with atrest unlock.")
    }
  }

  /// The refusal of what began before a lock. A wipe locks the store too, and is never called a lock.
  var refusalAfterLock: AtRestError { refusal(unlessGone: AtRestError.lockedMeanwhile) }

  /// Returns an error, or if the store was wiped or is not in its place, the error that says so.
  func refusal(unlessGone error: any Error) -> AtRestError {
    do {
      try keybag.checkStore()
      return Self.known(error)
    } catch {
      return Self.known(error)
    }
  }

  /// Locks the store.
  ///
  /// This also locks a store that another process unlocked, and one that is being unlocked.
  ///
  /// - Parameter reason: The reason, for the audit log.
  package func lock(because reason: String) {
    // A store without a passcode stays open, but not the keys that ssh-add has brought.
    guard keybag.hasPasscode else {
      lockCount.begin()
      memoryKeys.removeAll()
      return lockCount.end()
    }
    let wasUnlocked = isUnlocked
    var answer = "done"
    do {
      try eraseKeys()
    } catch {
      answer = Self.known(error).code.rawValue
    }
    recordLock(reason, answer: answer, isKnown: wasUnlocked)
  }

  private func recordLock(_ reason: String, answer: String, isKnown: Bool) {
    writePendingEntries()
    try? log.append(
      AgentLogEntry(
        time: Date(), operation: "lock", subject: reason, evidence: [], process: getpid(),
        answer: answer), isKnown: isKnown)
  }

  /// Erases the keys here, and tells the processes that unlocked the store themselves.
  func eraseKeys() throws {
    lockCount.begin()
    wasSeenUnlocked.store(false, ordering: .sequentiallyConsistent)
    if isUnlocked { changed.withLock { $0 = Date() } }
    memoryKeys.removeAll()
    terminals.forget()
    questioner.storeWasLocked()
    // What came before the keys were erased goes with them.
    defer {
      memoryKeys.removeAll()
      lockCount.end()
    }
    try keybag.lockEverywhere()
  }

  /// Erases what depends on an unlocked store, after another process locked or wiped the store or changed
  /// its passcode. The agent's own lock does this itself.
  func followKeybag() {
    // Whoever comes second returns when the first has finished: the lock is confirmed then.
    let isRecorded = following.withLock { followed in
      let erasure = keybag.lastErasure
      guard erasure.number != followed else { return false }
      followed = erasure.number
      lockCount.end()
      let wasUnlocked = wasSeenUnlocked.exchange(false, ordering: .sequentiallyConsistent)
      if wasUnlocked { changed.withLock { $0 = erasure.time } }
      memoryKeys.removeAll()
      terminals.forget()
      questioner.storeWasLocked()
      // Whoever locks a locked store changes nothing, and could fill the log with it.
      guard wasUnlocked || erasure.event != .lock else { return false }
      let entry = AgentLogEntry(
        time: erasure.time, operation: "lock", subject: erasure.event.rawValue, evidence: [],
        process: getpid(), answer: "done")
      pendingEntries.withLock { $0.append(entry) }
      return true
    }
    guard isRecorded else { return }
    // The lock is confirmed next, and does not wait for those who write to the log.
    DispatchQueue.global(qos: .userInitiated).async { [self] in writePendingEntries() }
  }

  /// Writes the entries of events by other processes. Every other entry comes after them.
  func writePendingEntries() {
    writingPending.withLock { _ in
      let entries = pendingEntries.withLock { pending in
        defer { pending = [] }
        return pending
      }
      for entry in entries { try? log.append(entry, isKnown: true) }
    }
  }

  /// Confirms each lock that other processes announce in the store's folder, from now on. Only the agent that
  /// holds the store's ``AgentClaim`` does.
  package func confirmLocks() { keybag.confirmLocks() }

  /// Unlocks the store with its passcode.
  ///
  /// - Parameters:
  ///   - passcode: The passcode. It is empty for a store that has none.
  ///   - peer: The process that unlocks the store.
  /// - Throws: The errors of unlocking; ``AtRestError/Code/locked`` if the store was locked meanwhile.
  func unlock(_ passcode: AgentSecret, for peer: Peer) throws {
    // A lock by another process that came before is over, and must not end this unlock.
    try keybag.checkStore()
    followKeybag()
    let locks = locks
    let wasUnlocked = isUnlocked
    if passcode.bytes.count == 0 && !keybag.hasPasscode {
      try keybag.unlock()
    } else {
      try keybag.unlock(passcode: passcode.bytes)
    }
    // Another process may have locked the store too.
    followKeybag()
    let isDone = following.withLock { _ in
      guard self.locks == locks, isUnlocked else { return false }
      wasSeenUnlocked.store(true, ordering: .sequentiallyConsistent)
      return true
    }
    guard isDone else {
      keybag.lock()
      throw refusalAfterLock
    }
    if !wasUnlocked { changed.withLock { $0 = Date() } }
    readAfterUnlock()
    terminals.remember(peer)
    // A lock that came meanwhile has forgotten them already.
    if self.locks != locks { terminals.forget() }
    touch()
  }

  /// Locks the store if it has not been used for the time that the options set.
  package func lockIfIdle(now: ContinuousClock.Instant = .now) {
    guard isUnlocked, options.idleSeconds > 0, keybag.hasPasscode || memoryKeys.count > 0,
      now - lastUse.withLock({ $0 }) >= .seconds(options.idleSeconds)
    else { return }
    lock(because: "idle")
  }

  /// Locks the store if it is not at its place any more: nobody can lock it there then.
  private func lockIfGone() {
    guard isUnlocked, keybag.hasPasscode || memoryKeys.count > 0 else { return }
    do {
      try keybag.checkStore()
    } catch let error as AtRestError where [.system, .busy, .wiped].contains(error.code) {
      // It could not be seen for a moment. A wipe has locked it, and is in the log as such.
    } catch {
      lock(because: "store gone")
    }
  }

  /// Does what time requires. It is called every second.
  func doRegularWork() {
    lockIfIdle()
    lockIfGone()
    memoryKeys.removeExpired()
    log.flush()
  }

  /// True after ``end()``.
  var isEnding: Bool { hasEnded.load(ordering: .relaxed) }

  /// Locks the store for the last time.
  func end() {
    hasEnded.store(true, ordering: .relaxed)
    writePendingEntries()
    lock(because: "the agent ends")
    log.flush(all: true)
  }
}
