import AtRestCrypto
import CAtRestSystem
import Crypto
import Foundation
import Synchronization

/// The class keys of a store: made once, wrapped by passcode and device key, in memory only while
/// the state of the store allows.
///
/// ```swift
/// let device = try FileDeviceKey()
/// let keybag = try Keybag.create(at: folder, device: device, passcode: passcode)
/// keybag.lock()
/// try keybag.unlock(passcode: passcode)
/// ```
///
/// - A store without a passcode unlocks itself when it is opened.
/// - ``lock()`` erases the keys of ``KeyClass/Availability/whenUnlocked``; those of
///   ``KeyClass/Availability/afterFirstUnlock`` stay until the process ends.
/// - The lock state belongs to this object, hence to one process.
///
/// Safe to use from several threads; the files are safe to use from several processes.
public final class Keybag: Sendable {
  /// How the KDF of a new passcode is chosen, and how many attempts are allowed.
  public struct Options: Sendable {
    /// The cost of a passcode. The default takes about half a second and 128 MiB.
    public var kdf: PasswordKDF
    /// After how many wrong passcodes in a row the store wipes itself; 0: never.
    public var attemptLimit: UInt16

    /// Makes options.
    public init(kdf: PasswordKDF = .scrypt(), attemptLimit: UInt16 = 0) {
      self.kdf = kdf
      self.attemptLimit = attemptLimit
    }
  }

  /// Whether the class keys are in memory.
  public enum LockState: String, Sendable, Codable {
    /// Only what always opens does.
    case beforeFirstUnlock = "before-first-unlock"
    /// Everything opens.
    case unlocked
    /// Locked again after an unlock.
    case locked
  }

  static let fileName = "keybag"

  package let storage: any StoreStorage
  package let device: any DeviceKeyProvider
  package let store: StoreID
  // Kept, since every write names it.
  let counterName: String
  let clock: @Sendable () -> UInt64

  struct State: ~Copyable {
    var file: KeybagFile
    var lockState = LockState.beforeFirstUnlock
    var keys: [KeyClass: SecretBox] = [:]
    var effaceable: SecretBox?
    var lockObservers: [@Sendable () -> Void] = []
  }
  let state: Mutex<State>

  // MARK: Making and opening

  /// Makes a store without a passcode in a folder.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where there is a store already.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, options: Options = Options()
  ) throws -> Keybag {
    try remembered(
      in: folder,
      create(in: FolderStorage(folder), device: device, passcode: nil, options: options))
  }

  /// Makes a store with a passcode in a folder.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where there is a store already;
  ///   ``AtRestError/Code/invalidArgument`` where the passcode is empty.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, passcode: borrowing SecretBytes,
    options: Options = Options()
  ) throws -> Keybag {
    try remembered(
      in: folder,
      create(
        in: FolderStorage(folder), device: device, passcode: SecretBox(passcode.duplicate()),
        options: options))
  }

  /// Has the device remember which store belongs in a folder.
  private static func remembered(in folder: URL, _ keybag: Keybag) throws -> Keybag {
    try StorePlace(folder).remember(keybag.store, on: keybag.device)
    return keybag
  }

  package static func create(
    in storage: any StoreStorage, device: any DeviceKeyProvider, passcode: SecretBox?,
    options: Options, clock: @escaping @Sendable () -> UInt64 = systemClock
  ) throws -> Keybag {
    try storage.exclusively {
      if try hasStore(storage, device) {
        throw AtRestError(
          .duplicate, "There is a store in \(storage.location) already.",
          remedy: "Open it, or wipe it first, or choose another folder.")
      }
      let store = StoreID.random()
      let effaceable = SecretBytes.random(count: 32)
      let keys = KeyClass.allCases.filter {
        passcode != nil || $0 != .whenPasscodeSetThisDeviceOnly
      }
      var classKeys: [KeyClass: SecretBox] = [:]
      for keyClass in keys { classKeys[keyClass] = SecretBox(.random(count: 32)) }
      var file = KeybagFile(
        generation: 0, store: store, device: try fingerprint(of: device),
        hasPasscode: false, attemptLimit: options.attemptLimit, kdf: options.kdf, salt: Data(),
        entries: [:])
      let shared = SecretBox(effaceable)
      try seal(
        classKeys, into: &file, passcode: passcode, kdf: options.kdf, effaceable: shared,
        device: device)
      // In this order a crash leaves nothing that looks like a store: see hasStore.
      try DeviceRecord(generation: 0, failedAttempts: 0, lastAttempt: 0).save(store, to: device)
      try storage.replace(
        EffaceableFile.name,
        with: EffaceableFile.encoded(store: store, key: shared.bytes, device: device))
      let keybag = Keybag(
        storage: storage, device: device, file: file, effaceable: shared, clock: clock)
      try keybag.state.withLock { state in
        try keybag.write(&state)
        state.keys = classKeys
        state.lockState = .unlocked
      }
      return keybag
    }
  }

  /// Whether there is a store, also a damaged or wiped one. An effaceable key without a keybag is
  /// what a crash left of one that was never finished, where the device remembers no keybag of it.
  static func hasStore(
    _ storage: any StoreStorage, _ device: any DeviceKeyProvider
  ) throws -> Bool {
    if try storage.read(fileName) != nil { return true }
    guard var effaceable = try storage.read(EffaceableFile.name) else { return false }
    guard
      let (store, _) = try? EffaceableFile.decoded(
        &effaceable, location: storage.location, device: device),
      try DeviceRecord.load(store, from: device)?.generation == 0
    else { return true }
    return false
  }

  /// Opens the store in a folder.
  ///
  /// - Parameter acceptingOlder: Accepts a store that was put back to an older state on purpose, as
  ///   a restored file backup is.
  /// - Throws: ``AtRestError/Code/notFound`` where there is none;
  ///   ``AtRestError/Code/wiped`` where there was one;
  ///   ``AtRestError/Code/damaged`` where the keybag was cut off, edited, or is of another device
  ///   or store; ``AtRestError/Code/rolledBack`` where it is older than the device remembers;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/system``.
  public static func open(
    at folder: URL, device: any DeviceKeyProvider, acceptingOlder: Bool = false
  ) throws -> Keybag {
    // Looked at before anything is made, so that a mistyped folder stays unmade.
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw noStore(folder.path)
    }
    return try open(in: FolderStorage(folder), device: device, acceptingOlder: acceptingOlder)
  }

  package static func open(
    in storage: any StoreStorage, device: any DeviceKeyProvider, acceptingOlder: Bool = false,
    clock: @escaping @Sendable () -> UInt64 = systemClock
  ) throws -> Keybag {
    var (file, effaceable, isRemembered) = try load(
      storage, device, acceptingOlder: acceptingOlder, mayWrite: false)
    if !isRemembered {
      // The record holds the attempts too: only in turn is none of another process's lost.
      (file, effaceable, _) = try storage.exclusively {
        try load(storage, device, acceptingOlder: acceptingOlder, mayWrite: true)
      }
    }
    let keybag = Keybag(
      storage: storage, device: device, file: file, effaceable: effaceable, clock: clock)
    try keybag.state.withLock { try keybag.openDeviceClasses(&$0) }
    if !file.hasPasscode { try keybag.unlockWithoutPasscode() }
    return keybag
  }

  init(
    storage: any StoreStorage, device: any DeviceKeyProvider, file: KeybagFile,
    effaceable: SecretBox, clock: @escaping @Sendable () -> UInt64
  ) {
    self.storage = storage
    self.device = device
    store = file.store
    counterName = "\(file.store.text).counter"
    self.clock = clock
    var state = State(file: file)
    state.effaceable = effaceable
    self.state = Mutex(state)
  }

  static func noStore(_ location: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no store in \(location).",
      remedy: "Make one (atrest init), or name its folder (--store, ATREST_STORE).")
  }

  /// Reads the files, without the turn of ``StoreStorage/exclusively(_:)``, which a caller that lets
  /// it write has to have.
  static func load(
    _ storage: any StoreStorage, _ device: any DeviceKeyProvider, acceptingOlder: Bool = false,
    mayWrite: Bool
  ) throws -> (file: KeybagFile, effaceable: SecretBox, isRemembered: Bool) {
    guard var effaceable = try storage.read(EffaceableFile.name) else {
      guard try storage.read(fileName) == nil else {
        throw AtRestError(
          .wiped, "The store in \(storage.location) was wiped: its effaceable key is gone.",
          remedy: "Nothing in it can be read again. Make a new store and restore a backup.")
      }
      throw noStore(storage.location)
    }
    let (store, key) = try EffaceableFile.decoded(
      &effaceable, location: storage.location, device: device)
    // Before the keybag, which is written before the record: so one that is being written in between
    // never looks older than what the device remembers.
    let remembered = try DeviceRecord.load(store, from: device)
    guard let stored = try storage.read(fileName) else {
      throw AtRestError.damaged("The keybag in \(storage.location) is missing.")
    }
    let file = try KeybagFile.decoded(
      stored, location: storage.location, store: store, device: fingerprint(of: device),
      authenticatedBy: authenticationKey(key, device))
    guard var record = remembered else {
      guard acceptingOlder else {
        throw AtRestError(
          .rolledBack, "The device does not remember the store in \(storage.location).",
          remedy: "If you put it there yourself, accept it: atrest restore --accept-older.")
      }
      guard mayWrite else { return (file, key, false) }
      try DeviceRecord(generation: file.generation, failedAttempts: 0, lastAttempt: 0)
        .save(store, to: device)
      return (file, key, true)
    }
    if file.generation < record.generation {
      guard acceptingOlder else {
        throw AtRestError(
          .rolledBack,
          "The keybag in \(storage.location) is older (\(file.generation)) than the device "
            + "remembers (\(record.generation)).",
          remedy: "If you put it back yourself, accept it: atrest restore --accept-older.")
      }
    }
    guard file.generation != record.generation else { return (file, key, true) }
    guard mayWrite else { return (file, key, false) }
    record.generation = file.generation
    try record.save(store, to: device)
    return (file, key, true)
  }

  // MARK: What it is

  /// Whether the class keys are in memory.
  public var lockState: LockState { state.withLock { $0.lockState } }

  /// Whether a passcode is set, in the keybag as last read.
  public var hasPasscode: Bool { state.withLock { $0.file.hasPasscode } }

  /// The KDF of the passcode.
  public var kdf: PasswordKDF { state.withLock { $0.file.kdf } }

  /// Wrong passcodes since the last right one.
  ///
  /// - Throws: ``AtRestError`` where the device cannot tell.
  public func failedAttempts() throws -> Int {
    Int(try DeviceRecord.load(store, from: device)?.failedAttempts ?? 0)
  }

  /// Wrong passcodes in a row after which the store wipes itself; 0: never.
  public var attemptLimit: Int { Int(state.withLock { $0.file.attemptLimit }) }

  /// What this store and device cannot give.
  public var risks: [Risk] {
    var risks = device.risks
    if !hasPasscode {
      risks.append(
        Risk(
          id: "no-passcode",
          message: "No passcode is set: whoever has this account reads everything.",
          remedy: "Set one (atrest passcode set)."))
    }
    if !LockedMemory.isLocked {
      risks.append(
        Risk(
          id: "unlocked-memory",
          message: "Not all memory for secrets could be locked: some may reach swap.",
          remedy: "Raise the limit of locked memory (ulimit -l), or encrypt swap."))
    }
    return risks
  }

  // MARK: Lock and unlock

  /// Brings the class keys into memory.
  ///
  /// The attempt is counted durably before the passcode is tried. From the fifth wrong one on a
  /// delay is in force: 1, 5, 15, 15, then 60 minutes.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where the passcode is wrong;
  ///   ``AtRestError/Code/throttled`` before the delay is over;
  ///   ``AtRestError/Code/wiped`` where the limit was reached, or another process wiped the store;
  ///   ``AtRestError/Code/passcodeNotSet`` where none is set.
  public func unlock(passcode: borrowing SecretBytes) throws {
    let shared = SecretBox(passcode.duplicate())
    try attempt(shared) { state, keys in
      state.keys.merge(keys) { _, new in new }
      state.lockState = .unlocked
    }
  }

  /// Unlocks a store that has no passcode.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where a passcode is set.
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
      state.keys.merge(keys) { _, new in new }
      state.lockState = .unlocked
    }
  }

  /// Checks a passcode, counting the attempt, without a change of the lock state.
  ///
  /// - Throws: As ``unlock(passcode:)``.
  public func verify(passcode: borrowing SecretBytes) throws {
    try attempt(SecretBox(passcode.duplicate())) { _, _ in }
  }

  /// Erases the class keys that need an unlock, and everything cached that hangs on them.
  public func lock() {
    let observers = state.withLock { state in
      state.keys = state.keys.filter { $0.key.availability != .whenUnlocked }
      if state.lockState == .unlocked { state.lockState = .locked }
      return state.lockObservers
    }
    observers.forEach { $0() }
    atrest_erase_stack()
  }

  /// Erases all class keys, also those that survive a lock: what the end of the process does.
  public func close() {
    let observers = state.withLock { state in
      state.keys = [:]
      state.effaceable = nil
      state.lockState = .beforeFirstUnlock
      return state.lockObservers
    }
    observers.forEach { $0() }
    atrest_erase_stack()
  }

  package func onLock(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.lockObservers.append(body) }
  }
}
