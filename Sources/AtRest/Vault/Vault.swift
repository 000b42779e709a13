import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import Synchronization

/// Stores an application's values, each in the way that its kind of data requires. Classify your
/// data, and the vault decides the store, the class, the key and the expiry.
///
/// ```swift
/// let vault = try Vault.open(in: folder, keychain: keychain)
/// let eva = try vault.logIn("eva")
/// try eva.store(statement, in: .statements)
/// let statement = try eva.value(in: .statements)
/// try eva.logOut()                               // removes all of Eva's data
/// ```
///
/// Small values are keychain items. Large values are protected files whose keys are keychain items.
/// The item alone therefore decides whether a value exists: once the call that stored a value has
/// returned, a crash neither loses nor duplicates it.
///
/// The folder belongs to the installation of the application, and the keychain to the device. If a
/// vault finds its data in only one of the two, it treats the launch as the first one and wipes
/// what an earlier installation left. Use the same folder each time.
///
/// Safe to use from several threads, and from several processes with the same store and folder.
public final class Vault: BlockingCalls {
  /// The keychain that holds the vault's items.
  public var keychain: Keychain { items.keychain }
  /// The folder that holds the installation's marker and the files.
  public var folder: URL { files.url }
  /// The policy that decides how each kind of data is stored.
  public var policy: StoragePolicy { options.policy }
  /// The kind of launch, determined when the vault was opened.
  public let launch: Launch

  let options: Options
  let files: VaultFolder
  let items: VaultItems
  let clock: VaultClock
  let databases = OpenDatabases()
  private struct State: ~Copyable {
    var passphraseKeys: [Data: TimedSecret] = [:]
    var handles: [WeakHandle] = []
    var caches: [ValuePlace: WeakCache] = [:]
    var lastRuntimeCheck: ContinuousClock.Instant?
    var lastPasscodeCheck: Date?
    var locks = 0
  }
  private struct WeakHandle {
    weak var handle: ProtectedFileHandle?
    let compartment, file: Data
  }
  private struct WeakCache { weak var cache: (any ValueCache)? }
  private let state = Mutex(State())

  // MARK: Opening

  /// Opens a vault, or creates it if it does not exist.
  ///
  /// Opening wipes what an earlier installation left (``Options/onFirstLaunch``), finishes a logout that a crash interrupted,
  /// and purges the expired values that are unlocked.
  ///
  /// - Parameters:
  ///   - folder: A folder in the application's own data, which is deleted with the application. The
  ///     folder is created with mode 0700 if it does not exist.
  ///   - keychain: The keychain for the items, locked or not.
  /// - Throws: ``AtRestError/Code/notPermitted`` if the folder belongs to another installation or
  ///   store, if it belongs to no installation although the keychain has values of the vault and
  ///   ``Options/reinstallation`` is ``Options/Reinstallation/refuse``, or if
  ///   ``Options/runtimePolicy`` refuses; ``AtRestError/Code/damaged``, also if the folder or a
  ///   folder inside it is a symbolic link; ``AtRestError/Code/invalidArgument`` for a vault's name
  ///   that is empty or longer than 128 bytes, and inside a transaction of the keychain;
  ///   ``AtRestError/Code/system``; the error of ``Options/onLogout``.
  public static func open(
    in folder: URL, keychain: Keychain, options: Options = Options()
  ) throws -> Vault {
    try Vault(VaultFolder(folder), keychain, options)
  }

  /// Opens a vault in this process's keychain, ``DefaultKeychain``.
  ///
  /// - Throws: The errors of `open(in:keychain:options:)` and of ``DefaultKeychain/get()``.
  public static func open(in folder: URL, options: Options = Options()) throws -> Vault {
    try open(in: folder, keychain: DefaultKeychain.get(), options: options)
  }

  private init(_ files: VaultFolder, _ keychain: Keychain, _ options: Options) throws {
    guard (1...128).contains(options.name.utf8.count) else {
      throw AtRestError.invalid(
        "A vault's name must have 1 to 128 bytes, not \(options.name.utf8.count).",
        remedy: "Choose a shorter one.")
    }
    let items = VaultItems(keychain: keychain, name: options.name)
    self.files = files
    self.items = items
    self.options = options
    clock = VaultClock(keychain, items.clockKey)
    guard !keychain.isInTransaction else {
      throw AtRestError.invalid(
        "A vault cannot be opened in a transaction: what it wipes cannot be restored.",
        remedy: "Open it before the transaction.")
    }
    launch = try files.exclusively { try VaultOpening(files, items, options).begin() }
    keychain.keybag.onLock { [weak self] in self?.forget() }
    try keychain.followAgent()
    try checkRuntime()
    try finishLogouts()
    try purge()
  }

  // MARK: Lock and unlock

  /// A Boolean value that is true if values that require an unlocked device can be read and stored.
  ///
  /// It is false in a process that reads values through `atrest-agent`, because such a process cannot
  /// store any.
  public var isUnlocked: Bool { keychain.keybag.lockState == .unlocked }

  /// Unlocks the store that holds the vault's items.
  ///
  /// - Throws: The errors of `Keybag.unlock(passcode:)`.
  public func unlock(passcode: borrowing SecretBytes) throws {
    try keychain.keybag.unlock(passcode: passcode)
  }

  /// Unlocks a store that has no passcode.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if a passcode is set.
  public func unlock() throws { try keychain.keybag.unlock() }

  /// Locks the store that holds the vault's items. Keys of values and of passphrases are erased
  /// from memory.
  public func lock() { keychain.keybag.lock() }

  // MARK: Compartments

  /// The compartment of the device itself, whose values belong to no account and survive a logout.
  ///
  /// - Throws: ``AtRestError/Code/wiped``.
  public var device: Compartment { get throws { try compartment(nil) } }

  /// Returns the compartment of an account, and logs the account in.
  ///
  /// The compartment ends with the account's logout: afterwards, no value can be stored in it. Call
  /// this method again at the next login.
  ///
  /// - Parameter name: The account's name, 1 to 512 bytes of UTF-8. The name is stored only in the
  ///   account's compartment.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for a name of any other length;
  ///   ``AtRestError/Code/locked`` if the account is new and the device has not been unlocked yet;
  ///   ``AtRestError/Code/wiped``.
  public func logIn(_ name: String) throws -> Compartment {
    try Compartment.check(name, "An account's name")
    return try compartment(name)
  }

  private func compartment(_ account: String?) throws -> Compartment {
    if let id = try registry().compartment(account) {
      return Compartment(vault: self, id: id, account: account)
    }
    let id = try keychain.transaction { () throws -> Data in
      var registry = try registry()
      if let id = registry.compartment(account) { return id }
      // The account may own one of the compartments whose account is unknown.
      if let gap = registry.gap { throw gap }
      let id = registry.add(account)
      try items.save(registry)
      if let account {
        try keychain.add(
          items.key("account", of: id), secret: SecretBytes(utf8: account),
          protection: .accessible(.afterFirstUnlock))
      }
      return id
    }
    return Compartment(vault: self, id: id, account: account)
  }

  /// The names of the accounts that are logged in, in no particular order.
  ///
  /// - Throws: ``AtRestError/Code/locked`` before the first unlock; ``AtRestError/Code/wiped``.
  public var accounts: [String] {
    get throws {
      let registry = try registry()
      if let gap = registry.gap { throw gap }
      return try registry.entries.compactMap { entry in
        do {
          return try String(
            copying: keychain.secret(for: items.key("account", of: entry.compartment)))
        } catch AtRestError.Code.notFound {
          return nil  // the device's own
        }
      }
    }
  }

  // MARK: Deciding

  /// Returns the policy's decision for a value, with the reasons.
  ///
  /// - Parameter size: The size of the value in bytes. Without it, the decision names the size above
  ///   which the value is a file (`StorageDecision.largestItem`), if the size matters.
  /// - Throws: The errors of ``StoragePolicy/decide(_:size:retention:hasCompositeKey:)``.
  public func explain<Value>(
    _ record: VaultRecord<Value>, size: Int? = nil
  ) throws -> StorageDecision {
    try policy.decide(
      record.classification, size: size, retention: record.retention,
      hasCompositeKey: options.compositeKey != nil, isRetentionKnown: false)
  }

  func decide(
    _ classification: Classification, size: Int, retention: Retention?
  ) throws -> StorageDecision {
    try policy.decide(
      classification, size: size, retention: retention,
      hasCompositeKey: options.compositeKey != nil)
  }

  // MARK: The running program

  func noteRuntimeCheck() { state.withLock { $0.lastRuntimeCheck = .now } }

  /// Checks the running program before a value is stored or read, if a check is due.
  func checkRuntimeIfDue() throws {
    guard options.runtimePolicy != .report else { return }
    let last = state.withLock { $0.lastRuntimeCheck }
    if let last, .now - last < options.runtimeInterval { return }
    try checkRuntime()
  }

  /// Returns true once an hour, by the clock of the keychain.
  func isPasscodeNoticeDue() -> Bool {
    let now = keychain.now
    return state.withLock { state in
      if let last = state.lastPasscodeCheck, (0..<3600).contains(now.timeIntervalSince(last)) {
        return false
      }
      state.lastPasscodeCheck = now
      return true
    }
  }

  // MARK: Keys and handles in memory

  /// Returns the holder of the key derived from a compartment's passphrase.
  func passphraseKey(of compartment: Data) -> TimedSecret {
    state.withLock { state in
      if let known = state.passphraseKeys[compartment] { return known }
      let new = TimedSecret(now: { [keychain] in keychain.now })
      state.passphraseKeys[compartment] = new
      return new
    }
  }

  /// Keeps the key derived from a passphrase, unless the device has been locked since ``locks`` had
  /// the given value.
  func keep(_ key: SecretBox, of compartment: Data, since locks: Int) {
    let place = passphraseKey(of: compartment)
    state.withLock { state in
      guard state.locks == locks else { return }
      place.keep(key, for: options.passphraseLifetime)
    }
  }

  /// The number of times that the device was locked, an account logged out or the vault was wiped.
  var locks: Int { state.withLock { $0.locks } }

  /// Erases the keys and discards the handles of a compartment whose values are gone, or of all
  /// compartments if `compartment` is nil.
  func end(_ compartment: Data?) {
    let (keys, handles, caches) = state.withLock { state in
      state.locks += 1
      func goes(_ other: Data) -> Bool { compartment == nil || compartment == other }
      let keys = state.passphraseKeys.filter { goes($0.key) }
      for key in keys.keys { state.passphraseKeys[key] = nil }
      return (
        Array(keys.values),
        state.handles.filter { goes($0.compartment) }.compactMap(\.handle),
        state.caches.filter { goes($0.key.compartment) }.compactMap(\.value.cache)
      )
    }
    for key in keys { key.erase() }
    for handle in handles { handle.discard() }
    for cache in caches { cache.forget() }
    databases.close { compartment == nil || $0.compartment.id == compartment }
  }

  /// Discards the handles of a value that has expired, and closes it if it is a database.
  func discardHandles(of file: Data) {
    databases.close { $0.file == file }
    let handles = state.withLock { $0.handles.filter { $0.file == file }.compactMap(\.handle) }
    for handle in handles { handle.discard() }
  }

  func watch(_ handle: ProtectedFileHandle, of compartment: Data, file: Data) {
    state.withLock { state in
      state.handles.removeAll { $0.handle == nil }
      state.handles.append(WeakHandle(handle: handle, compartment: compartment, file: file))
    }
    // If the store was locked just before this call, the handle was not notified.
    handle.lock(waits: false)
  }

  /// Returns the object that caches the value of a place, the same one as long as it is used.
  func cache<Cache: ValueCache>(of place: ValuePlace, make: () -> Cache) -> Cache {
    state.withLock { state in
      if let known = state.caches[place]?.cache as? Cache { return known }
      state.caches = state.caches.filter { $0.value.cache != nil }
      let new = make()
      state.caches[place] = WeakCache(cache: new)
      return new
    }
  }

  /// Erases the keys of values and passphrases when the store locks.
  private func forget() {
    let (keys, handles, caches) = state.withLock { state in
      state.locks += 1
      return (
        Array(state.passphraseKeys.values), state.handles.compactMap(\.handle),
        state.caches.values.compactMap(\.cache)
      )
    }
    for key in keys { key.erase() }
    let waits = !keychain.keybag.awaitsFirstUnlock
    for handle in handles { handle.lock(waits: waits) }
    for cache in caches { cache.forget() }
    databases.close { !keychain.keybag.isAvailable($0.accessibility.keyClass) }
  }
}
