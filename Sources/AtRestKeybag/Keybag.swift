import AtRestCrypto
import CAtRestSystem
import Crypto
import Foundation
import Synchronization

/// The class keys of a store. They are stored wrapped under the passcode and the device key, and
/// are in memory only while the lock state of the store allows it.
///
/// ```swift
/// let device = try FileDeviceKey.openOrCreate()
/// let keybag = try Keybag.create(at: folder, device: device, passcode: passcode)
/// keybag.lock()
/// try keybag.unlock(passcode: passcode)
/// ```
///
/// - A store without a passcode unlocks itself when it is opened.
/// - ``lock()`` erases the keys of ``KeyClass/Availability/whenUnlocked``. The keys of
///   ``KeyClass/Availability/afterFirstUnlock`` stay in memory until ``close()`` is called or the
///   process ends.
/// - The lock state belongs to this object, and therefore to one process. ``lockEverywhere()`` locks the
///   store in all processes, and so does a change of the passcode, except in the process that makes it.
/// - A wipe by any process ends this object: its keys are erased, and every later call throws
///   ``AtRestError/Code/wiped``.
///
/// A keybag is safe to use from several threads, and its files are safe to use from several
/// processes.
public final class Keybag: BlockingCalls {
  /// The options of a store: the KDF for a new passcode, whether a weak passcode is accepted, and
  /// the number of attempts that are allowed.
  public struct Options: Sendable {
    /// The cost of the passcode's KDF. The default takes about 0.4 s and 128 MiB.
    public var kdf: PasswordKDF
    /// The number of consecutive wrong passcodes after which the store wipes itself. 0 means no
    /// limit.
    public var attemptLimit: UInt16
    /// True if a passcode of fewer than `Keybag.shortestPasscode` characters is accepted. The
    /// store then lists the risk `weak-passcode`.
    public var allowsWeakPasscode: Bool

    /// Creates options.
    public init(
      kdf: PasswordKDF = .scrypt(), attemptLimit: UInt16 = 0, allowsWeakPasscode: Bool = false
    ) {
      self.kdf = kdf
      self.attemptLimit = attemptLimit
      self.allowsWeakPasscode = allowsWeakPasscode
    }
  }

  /// The minimum number of characters in a passcode, unless the options allow a shorter one.
  package static let shortestPasscode = 6

  /// The states of a store, which determine which class keys are in memory.
  public enum LockState: String, Sendable, Codable {
    /// The store has not been unlocked yet. Only data that is always readable can be read.
    case beforeFirstUnlock = "before-first-unlock"
    /// The store is unlocked. All data can be read.
    case unlocked
    /// The store was locked after an unlock.
    case locked
  }

  static var fileName: String { KeybagFile.fileName }

  package let storage: any StoreStorage
  package let device: any DeviceKeyProvider
  package let store: StoreIdentity
  // Stored here because every write needs it.
  let counterName: String
  let clock: BootClock

  struct State: ~Copyable {
    var file: KeybagFile
    var lockState = LockState.beforeFirstUnlock
    var keys: ClassKeys
    var indexKey: SecretBox?
    /// The effaceable key: the store's share and the device's share, 64 bytes. It is nil while the
    /// keybag is closed.
    var effaceable: SecretBox?
    var lockObservers: [@Sendable () -> Void] = []
    var events = KnownEvents()
  }
  let state: Mutex<State>
  let sight: StoreSight
  /// Acts on the events of the store that other processes announce.
  let watch = Mutex<LockWatch?>(nil)
  /// The way to the agent that serves the store, or nil for a store in memory.
  let agent: AgentLink?
  let agentSight = Mutex(AgentSight())

  init(
    storage: any StoreStorage, device: any DeviceKeyProvider, loaded: LoadedKeybag,
    clock: BootClock
  ) {
    self.storage = storage
    self.device = device
    store = loaded.file.store
    sight = StoreSight(storage, device, loaded.file.store)
    counterName = "\(loaded.file.store.text).counter"
    self.clock = clock
    agent = (storage as? FolderStorage).map {
      AgentLink(folder: $0.folder, store: loaded.file.store)
    }
    var state = State(file: loaded.file, keys: ClassKeys(present: loaded.file.present.number))
    state.effaceable = loaded.effaceable
    self.state = Mutex(state)
  }

  // MARK: Opening

  /// Opens the store in a folder.
  ///
  /// - Parameter expecting: The identity of the expected store. nil accepts any store of this
  ///   device.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no store; ``AtRestError/Code/wiped`` if
  ///   the store was wiped, even if a copy of it was put back; ``AtRestError/Code/otherStore`` if
  ///   the folder contains a store other than the expected one; ``AtRestError/Code/damaged`` if the
  ///   keybag was truncated or modified, if it belongs to another device or store, or if the device
  ///   folder does not know the store; ``AtRestError/Code/rolledBack`` if the keybag is from before
  ///   the last change of the passcode; ``AtRestError/Code/unsupportedVersion``;
  ///   ``AtRestError/Code/busy``; ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  public static func open(
    at folder: URL, device: any DeviceKeyProvider, expecting: StoreIdentity? = nil
  ) throws -> Keybag {
    // This is checked before anything is created, so that a mistyped folder is not created.
    guard try OpenFolder.ifPresent(folder.path, followingLinks: true) != nil else {
      throw noStore(folder.path)
    }
    return try open(in: FolderStorage(folder), device: device, expecting: expecting)
  }

  package static func open(
    in storage: any StoreStorage, device: any DeviceKeyProvider,
    expecting: StoreIdentity? = nil, clock: BootClock = .system
  ) throws -> Keybag {
    let seen = storage.sight(of: fileName).hold()
    var loaded: LoadedKeybag
    do {
      loaded = try load(storage, device, expecting: expecting)
    } catch AtRestError.Code.wiped {
      finishWipe(in: storage, device)
      throw wiped(storage.location)
    }
    if loaded.isUnfinished {
      loaded = try inTurn(device, loaded.file.store) {
        try loadFinishing(storage, device, loaded.file.store)
      }
    }
    let keybag = Keybag(storage: storage, device: device, loaded: loaded, clock: clock)
    try keybag.state.withLock { state in
      state.events.marks = keybag.sight.marks(after: seen)
      try keybag.openDeviceClasses(&state)
    }
    // The store may have been wiped after its record was read and before the look at it.
    guard try DeviceRecord.load(keybag.store, from: device)?.state != .wiped else {
      throw wiped(storage.location)
    }
    if !loaded.file.hasPasscode { try keybag.unlockWithoutPasscode() }
    keybag.startWatching()
    return keybag
  }

  // MARK: State

  /// The identity of the store.
  public var identity: StoreIdentity { store }

  /// The lock state of the store in this object.
  public var lockState: LockState { state.withLock { $0.lockState } }

  /// True if the keybag had a passcode when it was last read.
  public var hasPasscode: Bool { state.withLock { $0.file.hasPasscode } }

  /// The KDF of the passcode.
  public var kdf: PasswordKDF { state.withLock { $0.file.kdf } }

  /// The number of wrong passcodes since the last correct one.
  ///
  /// If the device has lost its count, the result is one below ``attemptLimit``, or 9 if there is
  /// no limit.
  ///
  /// - Throws: ``AtRestError`` if the device cannot provide the count.
  public func failedAttempts() throws -> Int {
    let limit = state.withLock { $0.file.attemptLimit }
    let record =
      try AttemptRecord.load(store, from: device) ?? .worst(limit: limit, at: clock.now())
    return Int(record.failed)
  }

  /// The number of consecutive wrong passcodes after which the store wipes itself. 0 means no
  /// limit.
  public var attemptLimit: Int { Int(state.withLock { $0.file.attemptLimit }) }

  /// The protections that this store and device cannot provide, including those of the choice of
  /// their folders (``StoreLocation/risks``).
  public var risks: [StoreRisk] { stateRisks + (location?.risks ?? []) }

  private var stateRisks: [StoreRisk] {
    var risks = device.risks
    if !hasPasscode {
      risks.append(
        StoreRisk(
          id: "no-passcode",
          message: "No passcode is set: anyone with access to this account can read everything.",
          remedy: "Set one (atrest passcode set). A program that uses the store then needs the "
            + "agent (atrest-agent), or a call that unlocks the store."))
    }
    if state.withLock({ $0.file.hasPasscode && $0.file.isPasscodeWeak }) {
      risks.append(
        StoreRisk(
          id: "weak-passcode",
          message:
            "The passcode has fewer than \(Self.shortestPasscode) characters or is a common one: "
            + "anyone who has the store and the device key can guess it, and a few attempts on this "
            + "device may be enough.",
          remedy:
            "Choose another one (atrest passcode change). Six digits that are not a date or a "
            + "pattern are enough while the device limits the attempts."))
    }
    if hasPasscode && device.keepsPasscodeSecrets && !isPasscodeBound {
      risks.append(
        StoreRisk(
          id: "passcode-outside-device",
          message:
            "The passcode is from before the device key was moved into the TPM: whoever has a "
            + "copy of the former key file can guess it elsewhere.",
          remedy: "Change it (atrest passcode change)."))
    }
    if let record = try? DeviceRecord.load(store, from: device), record.state == .changing {
      risks.append(
        StoreRisk(
          id: "former-passcode-in-place",
          message: "A change of the passcode was interrupted: a copy of the former keybag still "
            + "opens.",
          remedy: "Open the store again while its folders are writable."))
    }
    if !LockedMemory.isLocked {
      risks.append(
        StoreRisk(
          id: "unlocked-memory",
          message: "Not all memory for secrets could be locked: some of it may reach swap.",
          remedy: "Raise the limit on locked memory (ulimit -l), or encrypt swap."))
    }
    return risks
  }

  // MARK: Lock and unlock

  /// Brings the class keys into memory.
  ///
  /// The attempt is counted durably before the passcode is tried. From the fifth wrong passcode on,
  /// each is followed by a delay: 1, 5, 15 and 15 minutes, then always 60 minutes. The delay is
  /// measured with the boot-time clock, so setting the wall clock has no effect. A restart of the
  /// system starts the delay again. If the device has lost its count, the longest delay applies,
  /// and the count is one below the limit.
  ///
  /// An attempt that fails for a reason other than a wrong passcode is not counted.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passcode is wrong;
  ///   ``AtRestError/Code/throttled`` during a delay; ``AtRestError/Code/wiped`` if the limit was
  ///   reached, or another process wiped the store; ``AtRestError/Code/passcodeNotSet`` if no
  ///   passcode is set; ``AtRestError/Code/canceled`` if the task was cancelled or the process was
  ///   told to end; ``AtRestError/Code/busy`` if another process holds the device's lock for too
  ///   long.
  public func unlock(passcode: borrowing SecretBytes) throws {
    let shared = SecretBox(passcode.duplicate())
    try checkPresent()
    // A lock that was announced before must not reach this unlock, however late its thread wakes up.
    try followLocks()
    let notice = watch.withLock { $0?.notice }
    let known = state.withLock { $0.events.heeded }
    // A lock that is announced from here on also counts. Also after a wrong passcode, because the store
    // may have been unlocked before.
    defer { if let notice, notice.count != known { lock() } }
    try attempt(shared) { state, keys in
      // It may have been confirmed already, so the store is not unlocked for a moment either.
      if let notice, notice.count != known { return }
      state.keys.merge(keys)
      state.lockState = .unlocked
    }
  }

  /// Unlocks a store that has no passcode.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if a passcode is set.
  public func unlock() throws {
    try refresh()
    try unlockWithoutPasscode()
  }

  func unlockWithoutPasscode() throws {
    try state.withLock { state in
      guard !state.file.hasPasscode else {
        throw AtRestError(
          .authenticationFailed, "The store in \(storage.location) has a passcode.",
          remedy: "Unlock it with the passcode.")
      }
      let keys = try unwrapAll(state.file, passcode: nil, effaceable: effaceable(state))
      state.keys.merge(keys)
      state.lockState = .unlocked
    }
  }

  /// Checks a passcode without changing the lock state. The attempt is counted.
  ///
  /// - Throws: The errors of `unlock(passcode:)`.
  public func verify(passcode: borrowing SecretBytes) throws {
    try attempt(SecretBox(passcode.duplicate())) { _, _ in }
  }

  /// Erases the class keys that require an unlocked store, and all cached data that depends on
  /// them.
  public func lock() {
    state.withLock { state in
      state.events.wasUnlocked = false
      state.lock()
    }
    tellLockObservers()
    atrest_erase_stack()
  }

  /// Locks the store in all processes that unlocked it with its passcode, and in this one.
  ///
  /// The other processes erase their keys within milliseconds. This works on Linux; elsewhere, only
  /// this process locks the store.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the other processes cannot be told. This process has
  ///   locked the store all the same. ``AtRestError/Code/wiped`` if the store was wiped.
  public func lockEverywhere() throws {
    lock()
    if let end { throw end }
    guard let notice = try notice else { return }
    // An unlock that ended meanwhile is over too.
    defer { tellLockObservers() }
    try state.withLock { state in
      state.lock()
      try announce(in: notice, &state)
    }
  }

  /// True if the store was not unlocked yet, and can be.
  package var awaitsFirstUnlock: Bool {
    state.withLock { $0.lockState == .beforeFirstUnlock && $0.effaceable != nil }
  }

  /// Erases all class keys, including those that stay in memory after ``lock()``. To use the store
  /// again, open it again.
  public func close() {
    let observers = state.withLock { state in
      state.forgetKeys()
      return state.lockObservers
    }
    watch.withLock { $0 = nil }
    agent?.close()
    observers.forEach { $0() }
    atrest_erase_stack()
  }

  /// Opens the same store once more, with a lock state of its own.
  ///
  /// - Throws: The errors of `open(at:device:expecting:)`.
  @_spi(Tools) public func opened() throws -> Keybag {
    try Self.open(in: storage, device: device, expecting: store, clock: clock)
  }

  package func onLock(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.lockObservers.append(body) }
  }
}

extension Keybag.State {
  /// Erases every key, and returns to the state before the first unlock.
  mutating func forgetKeys() {
    keys.removeAll()
    indexKey = nil
    effaceable = nil
    lockState = .beforeFirstUnlock
  }
}
