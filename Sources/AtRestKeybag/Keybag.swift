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
  private let counterName: String
  private let clock: @Sendable () -> UInt64

  private struct State: ~Copyable {
    var file: KeybagFile
    var lockState = LockState.beforeFirstUnlock
    var keys: [KeyClass: SecretBox] = [:]
    var effaceable: SecretBox?
    var lockObservers: [@Sendable () -> Void] = []
  }
  private let state: Mutex<State>

  // MARK: Making and opening

  /// Makes a store without a passcode in a folder.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where there is a store already.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, options: Options = Options()
  ) throws -> Keybag {
    try create(in: FolderStorage(folder), device: device, passcode: nil, options: options)
  }

  /// Makes a store with a passcode in a folder.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where there is a store already;
  ///   ``AtRestError/Code/invalidArgument`` where the passcode is empty.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, passcode: borrowing SecretBytes,
    options: Options = Options()
  ) throws -> Keybag {
    try create(
      in: FolderStorage(folder), device: device, passcode: SecretBox(passcode.duplicate()),
      options: options)
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
  private static func hasStore(
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

  private init(
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

  private static func noStore(_ location: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no store in \(location).",
      remedy: "Make one (atrest init), or name its folder (--store, ATREST_STORE).")
  }

  /// Reads the files, without the turn of ``StoreStorage/exclusively(_:)``, which a caller that lets
  /// it write has to have.
  private static func load(
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

  private func unlockWithoutPasscode() throws {
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

  // MARK: Passcode

  /// Sets the first passcode. Class keys are rewrapped; no data is touched.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where one is set (change it instead);
  ///   ``AtRestError/Code/invalidArgument`` where it is empty.
  public func setPasscode(
    _ passcode: borrowing SecretBytes, options: Options = Options()
  ) throws {
    let shared = SecretBox(passcode.duplicate())
    try changing { state in
      guard !state.file.hasPasscode else {
        throw AtRestError(
          .duplicate, "The store in \(storage.location) has a passcode already.",
          remedy: "Change it, which asks for the present one.")
      }
      var keys = try unwrapAll(state.file, passcode: nil, effaceable: effaceable(state))
      keys[.whenPasscodeSetThisDeviceOnly] = SecretBox(.random(count: 32))
      state.file.attemptLimit = options.attemptLimit
      try rewrap(&state, keys, passcode: shared, kdf: options.kdf)
    }
  }

  /// Replaces the passcode. Class keys are rewrapped; no data is touched.
  ///
  /// - Throws: As ``unlock(passcode:)`` for the present one.
  public func changePasscode(
    from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF? = nil
  ) throws {
    let new = SecretBox(new.duplicate())
    try Self.check(passcode: new)
    try attempt(SecretBox(old.duplicate())) { state, keys in
      try rewrap(&state, keys, passcode: new, kdf: kdf ?? state.file.kdf)
    }
  }

  /// Removes the passcode, and with it the class key of when-passcode-set items, for good.
  ///
  /// - Throws: As ``unlock(passcode:)``.
  public func removePasscode(_ passcode: borrowing SecretBytes) throws {
    try attempt(SecretBox(passcode.duplicate())) { state, keys in
      var keys = keys
      keys[.whenPasscodeSetThisDeviceOnly] = nil
      try rewrap(&state, keys, passcode: nil, kdf: state.file.kdf)
    }
    state.withLock { $0.lockObservers }.forEach { $0() }
  }

  // MARK: Wipe

  /// Destroys the effaceable key: everything in the store is unreadable at once, whatever its size.
  ///
  /// The keychain's database stays as it is; `Keychain.wipe()` removes it too.
  ///
  /// - Throws: ``AtRestError/Code/system`` where the file system refuses.
  public func wipe() throws {
    try storage.exclusively { try state.withLock { try wipe(&$0) } }
    close()
  }

  private func wipe(_ state: inout State) throws {
    try storage.destroy(EffaceableFile.name)
    try storage.destroy(Self.fileName)
    try device.forget(DeviceRecord.name(store))
    try device.forget(counterName)
    state.keys = [:]
    state.effaceable = nil
    state.lockState = .beforeFirstUnlock
  }

  // MARK: Wrapping

  /// Wraps a key with a class key (RFC 3394; 8 bytes longer).
  package func wrap(_ key: borrowing SecretBytes, under keyClass: KeyClass) throws -> Data {
    let classKey = try self.key(for: keyClass)
    return try WrappingKey(classKey.bytes.derive(.classWrap)).wrap(key)
  }

  /// Unwraps a key that ``wrap(_:under:)`` wrapped.
  package func unwrap(
    _ wrapped: Data, under keyClass: KeyClass, name: String
  ) throws -> SecretBytes {
    let classKey = try self.key(for: keyClass)
    return try WrappingKey(classKey.bytes.derive(.classWrap)).unwrap(wrapped, name: name)
  }

  /// Derives a key for another use of a class key, so that no class key serves two.
  package func derive(_ purpose: Purpose, from keyClass: KeyClass) throws -> SecretBytes {
    try key(for: keyClass).bytes.derive(purpose)
  }

  /// Wraps a key for class B with its public half alone, so also while locked.
  ///
  /// The result is the ephemeral public key (32 bytes) and the wrapped key.
  package func wrapUnlessOpen(_ key: borrowing SecretBytes) throws -> Data {
    let publicKey = try state.withLock { state in
      guard let entry = state.file.entries[.completeUnlessOpen] else {
        throw AtRestError.damaged("The keybag has no class B.")
      }
      return entry.publicKey
    }
    let ephemeral = Curve25519.KeyAgreement.PrivateKey()
    let agreed = try ephemeral.sharedSecretFromKeyAgreement(
      with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey))
    let ephemeralPublic = ephemeral.publicKey.rawRepresentation
    let wrapping = SecretBytes(agreed).derive(
      .unlessOpenWrap, context: ephemeralPublic + publicKey)
    return ephemeralPublic + (try WrappingKey(wrapping).wrap(key))
  }

  /// Unwraps a key that ``wrapUnlessOpen(_:)`` wrapped; needs an unlocked store.
  package func unwrapUnlessOpen(_ wrapped: Data, name: String) throws -> SecretBytes {
    let privateKey = try key(for: .completeUnlessOpen)
    guard wrapped.count > 32 else { throw AtRestError.damaged("\(name) is cut off.") }
    let pair = try privateKey.bytes.withUnsafeBytes {
      try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
    }
    let ephemeral = Data(wrapped.prefix(32))
    do {
      let agreed = try pair.sharedSecretFromKeyAgreement(
        with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: ephemeral))
      let wrapping = SecretBytes(agreed).derive(
        .unlessOpenWrap, context: ephemeral + pair.publicKey.rawRepresentation)
      return try WrappingKey(wrapping).unwrap(Data(wrapped.dropFirst(32)), name: name)
    } catch let error as AtRestError {
      throw error
    } catch {
      throw AtRestError.damaged("\(name) holds no valid public key.")
    }
  }

  /// The number drawn with a class key, or nil where the class has none now.
  package func keyID(of keyClass: KeyClass) -> UInt64? {
    state.withLock { $0.file.entries[keyClass]?.id }
  }

  package func isAvailable(_ keyClass: KeyClass) -> Bool {
    state.withLock { $0.keys[keyClass] != nil }
  }

  /// The error that says why a class key is not in memory.
  package func refusal(of keyClass: KeyClass) -> AtRestError {
    if keyClass == .whenPasscodeSetThisDeviceOnly && !hasPasscode {
      return AtRestError(
        .passcodeNotSet, "Class \(keyClass.name) needs a passcode, and none is set.",
        remedy: "Set a passcode first, or choose another class.")
    }
    if state.withLock({ $0.effaceable == nil }) { return refusalWhenClosed }
    let state = lockState == .beforeFirstUnlock ? "not unlocked yet" : "locked"
    return AtRestError(
      .locked, "The store is \(state), and class \(keyClass.name) needs it unlocked.",
      remedy: "Unlock it with the passcode, and ask again.")
  }

  private func key(for keyClass: KeyClass) throws -> SecretBox {
    guard let key = state.withLock({ $0.keys[keyClass] }) else { throw refusal(of: keyClass) }
    return key
  }

  // MARK: Other processes

  /// Reads the files again, after another process may have changed the passcode or wiped the store.
  package func refresh() throws {
    try tellingOfLostKeys { try state.withLock { try reload(&$0, mayWrite: false) } }
  }

  /// Runs a piece of work, and has erased what hangs on class keys that went away in it.
  private func tellingOfLostKeys<Result>(_ body: () throws -> Result) rethrows -> Result {
    func keys() -> [KeyClass: UInt64] {
      state.withLock { state in
        let file = state.file
        return state.keys.reduce(into: [:]) { $0[$1.key] = file.entries[$1.key]?.id }
      }
    }
    let before = keys()
    defer {
      let after = keys()
      if before.contains(where: { after[$0.key] != $0.value }) {
        state.withLock { $0.lockObservers }.forEach { $0() }
      }
    }
    return try body()
  }

  /// The counter of the store's database, kept by the device outside of the store.
  package func counter() throws -> UInt64? {
    // It is written in place: a reader that meets the writer half-way looks again.
    for _ in 0..<3 {
      if let value = try? readCounter() { return value }
    }
    return try readCounter()
  }

  private func readCounter() throws -> UInt64? {
    guard let stored = try device.recall(counterName) else { return nil }
    let key = SecretBox(try counterKey())
    return try stored.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The device's counter of the store")
      let value = try reader.integer(UInt64.self)
      let code = Data(try reader.fixed(32))
      try reader.finish()
      guard key.bytes.isValid(authenticationCode: code, for: Data(bytes.prefix(8))) else {
        throw AtRestError(
          .rolledBack, "The device's counter of the store was changed.",
          remedy: "If you trust the store as it is, accept it: atrest restore --accept-older.")
      }
      return value
    }
  }

  package func setCounter(_ value: UInt64, key: borrowing SecretBytes, durably: Bool) throws {
    var writer = ByteWriter(capacity: 40)
    writer.integer(value)
    writer.fixed(key.authenticationCode(for: writer.data))
    try device.remember(writer.data, as: counterName, durably: durably)
  }

  package func counterKey() throws -> SecretBytes {
    try device.tangle(SecretBytes(store.bytes), purpose: Purpose("atrest.counter.v1"))
  }

  // MARK: Inside

  package static let systemClock: @Sendable () -> UInt64 = {
    UInt64(max(0, Date().timeIntervalSince1970))
  }

  private static func fingerprint(of device: any DeviceKeyProvider) throws -> Data {
    let mark = try device.tangle(
      SecretBytes(utf8: "device"), purpose: Purpose("atrest.device-fingerprint.v1"))
    return Data(copying: mark).prefix(8)
  }

  package func deviceFingerprint() throws -> Data { try Self.fingerprint(of: device) }

  private static func authenticationKey(
    _ effaceable: SecretBox, _ device: any DeviceKeyProvider
  ) throws -> SecretBytes {
    try device.tangle(effaceable.bytes, purpose: Purpose("atrest.keybag-authentication.v1"))
  }

  private static func deviceWrap(
    _ effaceable: SecretBox, _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    try WrappingKey(
      device.tangle(effaceable.bytes, purpose: Purpose("atrest.class-d-wrap.v1")))
  }

  /// The passcode key: the KDF's result, tangled with the effaceable key and the device key.
  private static func passcodeWrap(
    _ passcode: SecretBox?, _ file: KeybagFile, _ effaceable: SecretBox,
    _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    guard let passcode else {
      return try WrappingKey(
        device.tangle(effaceable.bytes, purpose: Purpose("atrest.no-passcode-wrap.v1")))
    }
    let stretched = try file.kdf.deriveKey(from: passcode.bytes, salt: file.salt)
    let both = SecretBytes(count: 64) { bytes in
      stretched.withUnsafeBytes { bytes.copyMemory(from: $0) }
      effaceable.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[32...]).copyMemory(from: $0)
      }
    }
    return try WrappingKey(device.tangle(both, purpose: Purpose("atrest.passcode-wrap.v1")))
  }

  private static func check(passcode: SecretBox) throws {
    guard passcode.bytes.count > 0 else {
      throw AtRestError.invalid(
        "The passcode is empty.", remedy: "Give at least one character, better a phrase.")
    }
  }

  private static func seal(
    _ keys: [KeyClass: SecretBox], into file: inout KeybagFile, passcode: SecretBox?,
    kdf: PasswordKDF, effaceable: SecretBox, device: any DeviceKeyProvider
  ) throws {
    if let passcode { try check(passcode: passcode) }
    file.hasPasscode = passcode != nil
    file.kdf = kdf
    file.salt = RandomBytes.data(count: 16)
    let deviceWrap = try deviceWrap(effaceable, device)
    let passcodeWrap = try passcodeWrap(passcode, file, effaceable, device)
    let before = file.entries
    file.entries = [:]
    for (keyClass, key) in keys {
      let wrapped =
        keyClass.availability == .always
        ? try deviceWrap.wrap(key.bytes) : try passcodeWrap.wrap(key.bytes)
      let publicKey =
        keyClass == .completeUnlessOpen
        ? try key.bytes.withUnsafeBytes {
          try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0).publicKey
            .rawRepresentation
        } : Data()
      file.entries[keyClass] = KeybagFile.Entry(
        id: before[keyClass]?.id ?? .random(in: 1 ... .max), publicKey: publicKey,
        wrapped: wrapped)
    }
  }

  private func effaceable(_ state: borrowing State) throws -> SecretBox {
    guard let key = state.effaceable else { throw refusalWhenClosed }
    return key
  }

  private func openDeviceClasses(_ state: inout State) throws {
    let wrap = try Self.deviceWrap(effaceable(state), device)
    for (keyClass, entry) in state.file.entries where keyClass.availability == .always {
      state.keys[keyClass] = SecretBox(
        try wrap.unwrap(entry.wrapped, name: "Class key \(keyClass.name)"))
    }
  }

  /// All class keys, or ``AtRestError/Code/authenticationFailed``: the keybag is authentic, so a
  /// class key that does not unwrap means a wrong passcode.
  private func unwrapAll(
    _ file: KeybagFile, passcode: SecretBox?, effaceable: SecretBox
  ) throws -> [KeyClass: SecretBox] {
    let deviceWrap = try Self.deviceWrap(effaceable, device)
    let passcodeWrap = try Self.passcodeWrap(passcode, file, effaceable, device)
    var keys: [KeyClass: SecretBox] = [:]
    for (keyClass, entry) in file.entries {
      let name = "Class key \(keyClass.name)"
      if keyClass.availability == .always {
        keys[keyClass] = SecretBox(try deviceWrap.unwrap(entry.wrapped, name: name))
        continue
      }
      do {
        keys[keyClass] = SecretBox(try passcodeWrap.unwrap(entry.wrapped, name: name))
      } catch {
        throw AtRestError(
          .authenticationFailed, "The passcode is wrong.",
          remedy: "Try again; after five wrong ones a delay begins.")
      }
    }
    return keys
  }

  /// - Parameter mayWrite: Whether the caller has the turn.
  private func reload(_ state: inout State, mayWrite: Bool) throws {
    do {
      let (file, effaceable, _) = try Self.load(storage, device, mayWrite: mayWrite)
      guard file.store == store else {
        throw AtRestError(
          .wiped, "The store in \(storage.location) was replaced by another.",
          remedy: "Open it again.")
      }
      // Another process may have removed the passcode, and set one anew: the class has another key.
      let former = state.file.entries
      state.keys = state.keys.filter { keyClass, _ in
        file.entries[keyClass] != nil && file.entries[keyClass]?.id == former[keyClass]?.id
      }
      state.file = file
      if state.effaceable != nil { state.effaceable = effaceable }
    } catch AtRestError.Code.notFound {
      state.keys = [:]
      state.effaceable = nil
      throw AtRestError(
        .wiped, "The store in \(storage.location) was wiped.",
        remedy: "Make a new store and restore a backup.")
    } catch AtRestError.Code.wiped {
      state.keys = [:]
      state.effaceable = nil
      throw AtRestError(
        .wiped, "The store in \(storage.location) was wiped.",
        remedy: "Make a new store and restore a backup.")
    }
  }

  private func rewrap(
    _ state: inout State, _ keys: [KeyClass: SecretBox], passcode: SecretBox?,
    kdf: PasswordKDF
  ) throws {
    var file = state.file
    try Self.seal(
      keys, into: &file, passcode: passcode, kdf: kdf, effaceable: effaceable(state),
      device: device)
    state.file = file
    try write(&state)
    let isUnlocked = state.lockState == .unlocked
    state.keys = keys.filter { key, _ in isUnlocked || state.keys[key] != nil }
  }

  private func write(_ state: inout State) throws {
    state.file.generation += 1
    let key = try Self.authenticationKey(effaceable(state), device)
    try storage.replace(Self.fileName, with: state.file.encoded(authenticatedBy: key))
    guard var record = try DeviceRecord.load(store, from: device) else { return }
    record.generation = state.file.generation
    try record.save(store, to: device)
  }

  /// Runs in turn, over the files as they are now.
  private func changing(_ body: (inout State) throws -> Void) throws {
    try tellingOfLostKeys {
      try storage.exclusively {
        try state.withLock { state in
          try reload(&state, mayWrite: true)
          try body(&state)
        }
      }
    }
  }

  private func attempt(
    _ passcode: SecretBox,
    then body: (inout State, [KeyClass: SecretBox]) throws -> Void
  ) throws {
    defer { atrest_erase_stack() }
    try tellingOfLostKeys { try storage.exclusively { try attemptInTurn(passcode, then: body) } }
  }

  private func attemptInTurn(
    _ passcode: SecretBox,
    then body: (inout State, [KeyClass: SecretBox]) throws -> Void
  ) throws {
    let (file, effaceable) = try state.withLock { state in
      try reload(&state, mayWrite: true)
      return (state.file, try self.effaceable(state))
    }
    guard file.hasPasscode else {
      throw AtRestError(
        .passcodeNotSet, "The store in \(storage.location) has no passcode.",
        remedy: "Use it without one, or set one first.")
    }
    guard var record = try DeviceRecord.load(store, from: device) else {
      throw AtRestError(
        .rolledBack, "The device does not remember the store in \(storage.location).",
        remedy: "If you put it there yourself, accept it: atrest restore --accept-older.")
    }
    let now = clock()
    let delay = record.delay(at: now)
    guard delay == 0 else {
      throw AtRestError(
        .throttled,
        "\(record.failedAttempts) wrong passcodes: the next attempt is in \(delay) seconds.",
        remedy: "Wait, and try again.")
    }
    record.failedAttempts += 1
    record.lastAttempt = now
    try record.save(store, to: device)
    // The KDF takes its time while other threads go on using the keys that are there.
    let keys: [KeyClass: SecretBox]
    do {
      keys = try unwrapAll(file, passcode: passcode, effaceable: effaceable)
    } catch AtRestError.Code.authenticationFailed
      where file.attemptLimit > 0 && record.failedAttempts >= file.attemptLimit
    {
      try state.withLock { try wipe(&$0) }
      throw AtRestError(
        .wiped,
        "The store in \(storage.location) was wiped after \(record.failedAttempts) wrong "
          + "passcodes.",
        remedy: "Make a new store and restore a backup.")
    }
    record.failedAttempts = 0
    try record.save(store, to: device)
    try state.withLock { state in
      guard state.effaceable != nil else { throw refusalWhenClosed }
      try body(&state, keys)
    }
  }

  private var refusalWhenClosed: AtRestError {
    AtRestError(
      .locked, "The store in \(storage.location) is closed or wiped.", remedy: "Open it again.")
  }
}

extension Purpose {
  static let classWrap = Purpose("atrest.class-wrap.v1")
  static let unlessOpenWrap = Purpose("atrest.unless-open-wrap.v1")
}
