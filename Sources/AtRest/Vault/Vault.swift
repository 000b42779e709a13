import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Crypto
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
public final class Vault: Sendable {
  /// The keychain that holds the vault's items.
  public let keychain: Keychain
  /// The folder that holds the installation's marker and the files.
  public var folder: URL { files.url }
  /// The policy that decides how each kind of data is stored.
  public var policy: StoragePolicy { options.policy }
  /// The kind of launch, determined when the vault was opened.
  public let launch: Launch

  let options: Options
  let files: VaultFolder
  let clock: VaultClock
  let databases = OpenDatabases()
  private struct State: ~Copyable {
    var passphraseKeys: [Data: TimedSecret] = [:]
    var handles: [WeakHandle] = []
    var preferences: [ValuePlace: WeakPreferences] = [:]
    var lastRuntimeCheck: ContinuousClock.Instant?
    var lastPasscodeCheck: Date?
    var locks = 0
  }
  private struct WeakHandle {
    weak var handle: ProtectedFileHandle?
    let compartment, file: Data
  }
  private struct WeakPreferences { weak var preferences: Preferences? }
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
    self.files = files
    self.keychain = keychain
    self.options = options
    clock = VaultClock(keychain, Self.clockKey(keychain, options))
    guard !keychain.isInTransaction else {
      throw AtRestError.invalid(
        "A vault cannot be opened in a transaction: what it wipes cannot be restored.",
        remedy: "Open it before the transaction.")
    }
    launch = try files.exclusively {
      try Self.begin(files, keychain, options)
    }
    keychain.keybag.onLock { [weak self] in self?.forget() }
    try keychain.followAgent()
    try checkRuntime()
    try finishLogouts()
    try purge()
  }

  private static func begin(
    _ files: VaultFolder, _ keychain: Keychain, _ options: Options
  ) throws -> Launch {
    try files.check()
    let marker = try files.marker()
    let store = keychain.keybag.store.bytes
    let vault = identity(keychain, options)
    let key = registryKey(keychain, options)
    let former = try formerRegistry(keychain, key, marker, store, vault)
    if let former, former.installation != marker?.installation {
      try check(marker, former, store, vault, files, options)
    }
    let isWiped = try wipeAccessGroup(former, marker, files, keychain, options)
    let (launch, installation) = try keychain.transaction { () throws -> (Launch, Data) in
      let known: Registry?
      do {
        known = try registry(keychain, key)
      } catch AtRestError.Code.damaged where marker?.store == store && marker?.vault == vault {
        // The values exist, so the registry is rebuilt from them as far as possible.
        return (.further, marker?.installation ?? Data())
      }
      if let known, known.installation == marker?.installation {
        return (.further, known.installation)
      }
      try check(marker, known, store, vault, files, options)
      if let known, marker == nil, options.reinstallation == .refuse {
        try refuseLoss(of: known, files, keychain, options)
      }
      var fresh = Registry()
      if let known {
        for entry in known.entries {
          try deleteItems(of: entry.compartment, keychain, options)
        }
      }
      if let ended = known ?? (isWiped ? former : nil) {
        fresh.cleanups = ended.cleanups + ended.entries.map(\.compartment)
      }
      try keychain.delete(matching: KeychainQuery(clockKey(keychain, options)))
      _ = fresh.add(nil)
      try save(fresh, keychain, key)
      guard known == nil else { return (.firstAfterReinstallation, fresh.installation) }
      // The folder is marked before the items are committed: after a crash, this installation must
      // not seem to be an earlier one, whose items are wiped.
      try files.removeAllFiles()
      try files.mark(VaultFolder.Marker(fresh.installation, store: store, vault: vault))
      return (.first, fresh.installation)
    }
    guard launch != .first else { return isWiped ? .firstAfterReinstallation : .first }
    if launch == .firstAfterReinstallation { try files.removeAllFiles() }
    let now = VaultFolder.Marker(installation, store: store, vault: vault)
    if now != marker { try files.mark(now) }
    return launch
  }

  /// Returns the registry that the keychain has, or nil if it has none or a damaged one that the
  /// folder's marker lets the vault rebuild.
  private static func formerRegistry(
    _ keychain: Keychain, _ key: PrimaryKey, _ marker: VaultFolder.Marker?, _ store: Data,
    _ vault: Data
  ) throws -> Registry? {
    do {
      return try registry(keychain, key)
    } catch let error as AtRestError where error.code == .damaged {
      guard marker?.store != store || marker?.vault != vault else { return nil }
      throw AtRestError(
        .damaged, "\(error.message) Whether the application was installed again is unknown.",
        remedy: "Use the vault's former folder, or restore the store from a backup. To give up all "
          + "items of the application, call the keychain's deleteAllItems().",
        cause: error)
    }
  }

  /// Wipes the access group after a reinstallation, if the options say so.
  ///
  /// - Returns: True if the group was wiped.
  private static func wipeAccessGroup(
    _ former: Registry?, _ marker: VaultFolder.Marker?, _ files: VaultFolder,
    _ keychain: Keychain, _ options: Options
  ) throws -> Bool {
    guard options.onFirstLaunch == .wipeAccessGroup else { return false }
    guard marker == nil else {
      try files.beginInstallation(keychain, isKnown: true)
      return false
    }
    if options.reinstallation == .refuse,
      try former != nil || files.launch(keychain) == .firstAfterReinstallation
    {
      try refuseLoss(of: former, files, keychain, options)
    }
    // A registry of this vault proves an earlier installation, wherever its folder was.
    switch try files.beginInstallation(keychain, acceptingOtherFolder: former != nil) {
    case .firstAfterReinstallation: return true
    case .first where former != nil:
      try keychain.deleteAllItems()
      return true
    case .first, .further: return false
    }
  }

  /// Throws, without modifying anything, if the folder or the store appears to be the wrong one.
  private static func check(
    _ marker: VaultFolder.Marker?, _ known: Registry?, _ store: Data, _ vault: Data,
    _ files: VaultFolder, _ options: Options
  ) throws {
    switch (marker, known) {
    case (.some, .some(let known)):
      throw AtRestError(
        .notPermitted,
        "\(files.url.path) belongs to another installation than the values of the vault "
          + "\"\(options.name)\" (\(known.entries.count) compartments).",
        remedy: "Use the former folder of the vault, or give this vault another name.")
    case (.some(let marker), nil) where marker.store != store:
      throw AtRestError(
        .notPermitted,
        "\(files.url.path) is the folder of a vault in another store.",
        remedy: "Use that store. If it is gone, these files cannot be read; delete the folder."
      )
    case (.some(let marker), nil) where marker.vault != vault:
      throw AtRestError(
        .notPermitted,
        "\(files.url.path) is the folder of another vault than \"\(options.name)\" of this "
          + "application.",
        remedy: "Use one folder per vault, and open it with the name and the identity "
          + "with which it was created.")
    default: break
    }
  }

  /// Throws if the vault has values. A vault without items has nothing to lose; a crash during the
  /// first launch leaves such a vault.
  private static func refuseLoss(
    of known: Registry?, _ files: VaultFolder, _ keychain: Keychain, _ options: Options
  ) throws {
    var queries = (known?.entries ?? []).map { items(of: $0.compartment, keychain, options) }
    if options.onFirstLaunch == .wipeAccessGroup {
      queries += ItemClass.allCases.map {
        KeychainQuery($0, group: keychain.identity.defaultGroup, synchronizable: .any)
      }
    }
    let own = [registryKey(keychain, options), clockKey(keychain, options)]
    for query in queries {
      do {
        let items = try keychain.items(matching: query)
        let isOwn = items.allSatisfy { own.contains($0.primaryKey) }
        if isOwn && items.withheld.isEmpty { continue }
      } catch let error as AtRestError where error.refusal != nil {
        // There are values, although they cannot be read now.
      }
      throw AtRestError(
        .notPermitted,
        "The vault \"\(options.name)\" has values, and \(files.url.path) is not its "
          + "folder.",
        remedy: "Check the folder, or open the vault with reinstallation: .wipe.")
    }
  }

  /// Returns the vault's identity, which its folder records. The identity depends only on the
  /// vault's name and access group.
  private static func identity(_ keychain: Keychain, _ options: Options) -> Data {
    var writer = ByteWriter()
    writer.counted(utf8: keychain.identity.defaultGroup)
    writer.counted(utf8: options.name)
    return Data(SHA256.hash(data: writer.data).prefix(Registry.idCount))
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
      try save(registry)
      if let account {
        try keychain.add(
          itemKey("account", of: id), secret: SecretBytes(utf8: account),
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
            copying: keychain.secret(for: itemKey("account", of: entry.compartment)))
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
  ///   which the value is a file (``StorageDecision/largestItem``), if the size matters.
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
    let (keys, handles, preferences) = state.withLock { state in
      state.locks += 1
      func goes(_ other: Data) -> Bool { compartment == nil || compartment == other }
      let keys = state.passphraseKeys.filter { goes($0.key) }
      for key in keys.keys { state.passphraseKeys[key] = nil }
      return (
        Array(keys.values),
        state.handles.filter { goes($0.compartment) }.compactMap(\.handle),
        state.preferences.filter { goes($0.key.compartment) }.compactMap(\.value.preferences)
      )
    }
    for key in keys { key.erase() }
    for handle in handles { handle.discard() }
    for preferences in preferences { preferences.forget() }
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

  func preferences(_ compartment: Compartment, _ name: String) -> Preferences {
    state.withLock { state in
      let place = compartment.place(name)
      if let known = state.preferences[place]?.preferences { return known }
      state.preferences = state.preferences.filter { $0.value.preferences != nil }
      let new = Preferences(compartment, name: name)
      state.preferences[place] = WeakPreferences(preferences: new)
      return new
    }
  }

  /// Erases the keys of values and passphrases when the store locks.
  private func forget() {
    let (keys, handles, preferences) = state.withLock { state in
      state.locks += 1
      return (
        Array(state.passphraseKeys.values), state.handles.compactMap(\.handle),
        state.preferences.values.compactMap(\.preferences)
      )
    }
    for key in keys { key.erase() }
    let waits = !keychain.keybag.awaitsFirstUnlock
    for handle in handles { handle.lock(waits: waits) }
    for preferences in preferences { preferences.forget() }
    databases.close { !keychain.keybag.isAvailable($0.accessibility.keyClass) }
  }
}
