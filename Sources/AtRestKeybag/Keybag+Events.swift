import AtRestCrypto
import Foundation

/// Events of the store that reach every process: a lock in all processes, a wipe, and each change of the
/// keybag.
extension Keybag {
  /// The error of every call if this keybag can never be used again, because its store was wiped or
  /// replaced.
  package var end: AtRestError? { state.withLock { $0.events.end } }

  package var isEnded: Bool { end != nil }

  /// A Boolean value that is true if the store was wiped, by this process or by another one.
  public var isWiped: Bool {
    try? checkPresent()
    return end?.code == .wiped
  }

  /// Checks that the store is still in its place, and learns what other processes have changed. Call
  /// this method before something is given out or stored, and after something was stored.
  ///
  /// This takes three system calls, unless something has changed.
  ///
  /// - Parameter reading: True if something is given out. A store that was moved, or replaced by another
  ///   one, may then be noticed 50 ms later, but not a wipe or a change of the keybag. It takes half the
  ///   time.
  /// - Throws: ``AtRestError/Code/wiped`` and ``AtRestError/Code/otherStore``, which last;
  ///   ``AtRestError/Code/damaged`` if the keybag is missing or was modified;
  ///   ``AtRestError/Code/rolledBack``.
  package func checkPresent(reading: Bool = false) throws {
    let notice = watch.withLock { $0?.notice }
    var isLocked = false
    let isSame = try state.withLock { state in
      if let end = state.events.end { throw end }
      guard state.effaceable != nil else { return true }
      isLocked = heed(notice, &state)
      if reading, state.events.marks?.areUnchanged ?? false { return true }
      return state.events.marks?.areSame(as: sight.look()) ?? false
    }
    if isLocked { tellLockObserversLater() }
    if !isSame { try refresh(tellingLater: true) }
  }

  /// Throws ``AtRestError/Code/wiped`` if the store was wiped, or the errors of opening if another store or
  /// none is in its place.
  @_spi(Tools) public func checkStore() throws { try checkPresent() }

  /// Registers a closure that runs after each event that erased keys. It may run on any thread.
  @_spi(Tools) public func onEvent(_ body: @escaping @Sendable () -> Void) { onLock(body) }

  /// The last event by another process, or the last wipe, that erased keys.
  @_spi(Tools) public var lastErasure: StoreErasure { state.withLock { $0.events.erasure } }

  /// Confirms each lock in all processes from now on, for ``AgentLock``. Only the agent of the store does,
  /// when its keys are erased and its lock observers have been told.
  ///
  /// A store without a passcode follows no lock, and then none is confirmed.
  @_spi(Tools) public func confirmLocks() {
    state.withLock { state in
      state.events.confirmsLocks = true
      if state.file.hasPasscode { state.events.followsLocks = true }
    }
    if watch.withLock({ $0 == nil }) { startWatching() }
  }

  /// Checks after something was stored that it is not lost.
  ///
  /// - Throws: ``AtRestError/Code/wiped``, ``AtRestError/Code/otherStore`` or
  ///   ``AtRestError/Code/damaged`` if the store was wiped, replaced or removed meanwhile. Nothing else
  ///   makes what was stored fail.
  package func checkKept() throws {
    do {
      try checkPresent()
    } catch {
      guard isEnded || sight.look().keybag == nil else { return }
      throw error
    }
  }

  /// Acts on an announcement, on the thread that waits for one.
  private func obey() {
    let notice = watch.withLock { $0?.notice }
    let (isLocked, erased) = state.withLock { state -> (Bool, UInt32?) in
      // The number may be that of another store's lock, which only the agent of that store confirms.
      guard state.effaceable != nil else { return (false, nil) }
      let isLocked = heed(notice, &state)
      // Only a number at which the keys were erased is confirmed.
      let confirms = state.events.confirmsLocks && state.events.followsLocks
      return (isLocked, confirms ? state.events.heeded : nil)
    }
    // Another thread may have erased the keys first, and not have told everyone yet.
    if isLocked || erased != nil { tellLockObservers() }
    if let erased { notice?.confirm(erased) }
    try? checkPresent()
    followReplacedFile(notice)
  }

  /// Goes on with the file in which events are announced now, if it was replaced. Like a file without a
  /// number, this locks the store.
  private func followReplacedFile(_ notice: LockNotice?) {
    guard let storage = storage as? FolderStorage, let notice, !notice.isInPlace(in: storage),
      !isEnded, let present = try? LockNotice(in: storage)
    else { return }
    let isLocked = state.withLock { state in
      guard state.effaceable != nil, state.events.followsLocks else { return false }
      state.lock(after: .lock)
      return true
    }
    follow(present)
    if isLocked { tellLockObservers() }
  }

  /// Erases the keys that require an unlocked store if a lock was announced.
  ///
  /// - Returns: True if the lock observers must be told.
  private func heed(_ notice: LockNotice?, _ state: inout State) -> Bool {
    guard let notice else { return false }
    let count = notice.count
    // A file without a number was tampered with. That locks the store too.
    guard count != state.events.heeded || count == nil else { return false }
    state.events.heeded = count
    guard state.events.followsLocks else { return false }
    if state.lockState == .unlocked { state.events.wasUnlocked = true }
    state.lock(after: .lock)
    return true
  }

  // MARK: Observers

  func tellLockObservers() {
    for observer in state.withLock({ $0.lockObservers }) { observer() }
  }

  /// Tells the observers on another thread, because this one may hold a lock that they need.
  func tellLockObserversLater() {
    DispatchQueue.global(qos: .userInitiated).async { [self] in tellLockObservers() }
  }

  // MARK: Announcing

  /// Tells all processes of an event, but not this keybag. An event that cannot be announced is noticed
  /// by each process at its next use of the store.
  func announce(_ notice: LockNotice?, _ state: inout State) {
    if let notice { try? announce(in: notice, &state) }
  }

  /// Does so, and throws ``AtRestError/Code/system`` if it cannot be done.
  func announce(in notice: LockNotice, _ state: inout State) throws {
    let (before, after) = try notice.announce()
    // If another event came meanwhile, this keybag acts on both.
    guard state.events.heeded == before, after == (before ?? 0) &+ 1 else { return }
    state.events.heeded = after
  }

  // MARK: Following

  /// The number that changes with each event, or nil for a store in memory.
  var notice: LockNotice? {
    get throws { try (storage as? FolderStorage).map { try LockNotice(in: $0) } }
  }

  /// Begins to notice events. In a folder in which this cannot be done, they are noticed at the next use
  /// of the store.
  func startWatching() {
    guard let notice = (try? notice).flatMap({ $0 }) else { return }
    follow(notice)
  }

  /// Notices events from now on. A lock that was announced before, and that this keybag follows, counts,
  /// although the thread that waited for it may come too late.
  func follow(_ notice: LockNotice) {
    let isLocked = state.withLock { state in
      guard state.events.followsLocks, state.effaceable != nil else {
        state.events.heeded = notice.count
        return false
      }
      return heed(notice, &state)
    }
    if isLocked { tellLockObservers() }
    let watch = LockWatch(notice) { [weak self] in self?.obey() }
    self.watch.withLock { $0 = watch }
  }

  /// Locks this object too when the store is locked in all processes, from now on.
  func followLocks() throws {
    if let notice = try notice { follow(notice) }
    state.withLock { $0.events.followsLocks = true }
  }

  /// Tells the lock observers when the agent, whose keys this object uses, locks the store.
  ///
  /// - Parameter known: The number of the notice from which on a change counts.
  func followLocksOfAgent(after known: UInt32?) {
    if watch.withLock({ $0 == nil }) { startWatching() }
    let isNew = state.withLock { state in
      guard !state.events.followsLocks else { return false }
      state.events.followsLocks = true
      state.events.heeded = known
      return true
    }
    if isNew { obey() }
  }

  /// Does so from now on, before this object uses the agent.
  package func followLocksOfAgent() throws {
    guard let notice = try notice else { return }
    followLocksOfAgent(after: notice.count)
  }
}

extension Keybag.State {
  /// Erases the keys that require an unlocked store.
  mutating func lock() {
    keys.keep { $1.availability != .whenUnlocked }
    if lockState == .unlocked { lockState = .locked }
  }

  /// Does so after an event.
  mutating func lock(after event: StoreErasure.Event) {
    lock()
    events.erasure.note(event)
  }

  /// Erases every key, for good.
  mutating func end(_ reason: AtRestError) {
    forgetKeys()
    events.erasure.note(.end)
    events.end = reason
  }
}
