import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Crypto
import Foundation
import Synchronization

/// Values of an application, each kept as its kind demands: say what it is, and the vault decides
/// store, class and key, and when it goes.
///
/// ```swift
/// let vault = try Vault.open(in: folder, keychain: keychain)
/// let eva = try vault.account("eva")
/// try eva.store(statement, in: .statements)
/// let statement = try eva.value(in: .statements)
/// try eva.logOut()                               // all that is Eva's is gone
/// ```
///
/// Small values are items of the keychain, large ones protected files whose keys are items, so that
/// an item decides whether there is a value: a crash loses none that was answered, and doubles none.
///
/// The folder belongs to the installation of the application, the keychain to the device: a vault
/// that finds the one without the other is a first launch, and wipes what an earlier installation
/// left. Give it the same folder each time.
///
/// Safe to use from several threads, and from several processes on one store and folder.
public final class Vault: Sendable {
  /// The keychain that holds the items.
  public let keychain: Keychain
  /// The folder of the marker and of the files.
  public var folder: URL { files.url }
  /// What is kept where.
  public var policy: Policy { options.policy }
  /// What was found when it was opened.
  public let launch: Launch

  let options: Options
  let files: VaultFolder
  let clock: VaultClock
  private struct State: ~Copyable {
    var passphraseKeys: [Data: TimedSecret] = [:]
    var handles: [WeakHandle] = []
    var preferences: [ValuePlace: WeakPreferences] = [:]
    var lastRuntimeCheck: ContinuousClock.Instant?
    var locks = 0
  }
  private struct WeakHandle {
    weak var handle: ProtectedFileHandle?
    let compartment: Data
  }
  private struct WeakPreferences { weak var preferences: Preferences? }
  private let state = Mutex(State())

  // MARK: Opening

  /// Opens a vault, and makes it where there is none.
  ///
  /// Wipes what an earlier installation left, finishes a logout that a crash interrupted, and purges
  /// what has expired, as far as it is unlocked.
  ///
  /// - Parameters:
  ///   - folder: A folder of the application's own data, which goes when the application is deleted.
  ///     It is made (0700) where there is none.
  ///   - keychain: Locked or not.
  /// - Throws: ``AtRestError/Code/notPermitted`` where the folder belongs to another installation or
  ///   store, or to none and ``Options/reinstallation`` is to refuse, or where
  ///   ``Options/runtimePolicy`` refuses; ``AtRestError/Code/damaged``, also where the folder or one in it
  ///   is a symbolic link; ``AtRestError/Code/invalidArgument`` for a name that is too long, and in a transaction of the
  ///   keychain's; ``AtRestError/Code/system``; what ``Options/onLogout`` throws.
  public static func open(
    in folder: URL, keychain: Keychain, options: Options = Options()
  ) throws -> Vault {
    try Vault(VaultFolder(folder), keychain, options)
  }

  /// Opens a vault in the keychain of this process: ``DefaultKeychain``.
  ///
  /// - Throws: As `open(in:keychain:options:)`; what ``DefaultKeychain/get()`` throws.
  public static func open(in folder: URL, options: Options = Options()) throws -> Vault {
    try open(in: folder, keychain: DefaultKeychain.get(), options: options)
  }

  private init(_ files: VaultFolder, _ keychain: Keychain, _ options: Options) throws {
    guard (1...128).contains(options.name.utf8.count) else {
      throw AtRestError.invalid(
        "A vault's name has 1 to 128 bytes, not \(options.name.utf8.count).",
        remedy: "Choose a short one.")
    }
    self.files = files
    self.keychain = keychain
    self.options = options
    clock = VaultClock(keychain, Self.clockKey(keychain, options))
    guard !keychain.isInTransaction else {
      throw AtRestError.invalid(
        "A vault cannot be opened in a transaction: what it wipes would not come back.",
        remedy: "Open it before.")
    }
    launch = try files.exclusively {
      try Self.begin(files, keychain, options)
    }
    keychain.keybag.onLock { [weak self] in self?.forget() }
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
    let (launch, installation) = try keychain.transaction { () throws -> (Launch, Data) in
      let known: Registry?
      do {
        known = try registry(keychain, key)
      } catch AtRestError.Code.damaged where marker?.store == store && marker?.vault == vault {
        // The values are there: it is made anew from them, as far as they tell.
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
          try keychain.delete(matching: items(of: entry.compartment, keychain, options))
        }
        fresh.cleanups = known.cleanups + known.entries.map(\.compartment)
      }
      try keychain.delete(matching: Query(clockKey(keychain, options)))
      _ = fresh.add(nil)
      try save(fresh, keychain, key)
      return (known == nil ? .first : .firstAfterReinstallation, fresh.installation)
    }
    if launch != .further { try files.removeAllFiles() }
    let now = VaultFolder.Marker(installation, store: store, vault: vault)
    if now != marker { try files.mark(now) }
    return launch
  }

  /// Refuses what looks like a folder or a store named by mistake: nothing of it is lost then.
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
        remedy: "Name the folder that the vault had, or give this one another name.")
    case (.some(let marker), nil) where marker.store != store:
      throw AtRestError(
        .notPermitted,
        "\(files.url.path) is the folder of a vault in another store.",
        remedy: "Name that store; if it is gone, so are the keys of these files: delete the folder."
      )
    case (.some(let marker), nil) where marker.vault != vault:
      throw AtRestError(
        .notPermitted,
        "\(files.url.path) is the folder of another vault than \"\(options.name)\" of this "
          + "application.",
        remedy: "Give each vault a folder of its own, and open it with the name and identity that "
          + "it was made with.")
    default: break
    }
  }

  /// A vault without items, as a crash amid its first launch leaves it, has nothing to lose.
  private static func refuseLoss(
    of known: Registry, _ files: VaultFolder, _ keychain: Keychain, _ options: Options
  ) throws {
    for entry in known.entries {
      do {
        let items = try keychain.items(matching: items(of: entry.compartment, keychain, options))
        if items.isEmpty && items.withheld.isEmpty { continue }
      } catch let error as AtRestError where error.refusal != nil {
        // There are some, though they cannot be read now.
      }
      throw AtRestError(
        .notPermitted,
        "There are values of the vault \"\(options.name)\", and \(files.url.path) is no folder "
          + "of it.",
        remedy: "See whether the folder is there; or open the vault so that it wipes them.")
    }
  }

  /// Names a vault to its folder: the same for one name and access group.
  private static func identity(_ keychain: Keychain, _ options: Options) -> Data {
    var writer = ByteWriter()
    writer.counted(utf8: keychain.identity.defaultGroup)
    writer.counted(utf8: options.name)
    return Data(SHA256.hash(data: writer.data).prefix(Registry.idCount))
  }

  // MARK: Lock and unlock

  /// Whether what is kept while unlocked can be read.
  public var isUnlocked: Bool { keychain.keybag.lockState == .unlocked }

  /// Unlocks the store that the vault is in.
  ///
  /// - Throws: As ``Keybag/unlock(passcode:)``.
  public func unlock(passcode: borrowing SecretBytes) throws {
    try keychain.keybag.unlock(passcode: passcode)
  }

  /// Locks the store that the vault is in: keys of values and passphrases leave memory.
  public func lock() { keychain.keybag.lock() }

  // MARK: Compartments

  /// The compartment of the device itself: what belongs to no account, and stays at a logout.
  ///
  /// - Throws: ``AtRestError/Code/wiped``.
  public var device: Compartment { get throws { try compartment(nil) } }

  /// The compartment of an account, which is logged in with that.
  ///
  /// It ends with the account's logout: what still holds it then can store nothing more. Ask for it
  /// anew at the next login.
  ///
  /// - Parameter name: The account's name, 1 to 512 bytes of UTF-8. Only its compartment holds it.
  /// - Throws: ``AtRestError/Code/invalidArgument``; ``AtRestError/Code/locked`` where the account is
  ///   new and the device was not unlocked yet; ``AtRestError/Code/wiped``.
  public func account(_ name: String) throws -> Compartment {
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
      // It may be one of those that could not be named.
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

  /// The accounts that are logged in, in no order.
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

  /// What is done with a value of a size, and why.
  ///
  /// - Throws: As ``Policy/decide(_:size:retention:hasCompositeKey:)``.
  public func explain<Value>(_ record: Record<Value>, size: Int = 0) throws -> Decision {
    try decide(record.classification, size: size, retention: record.retention)
  }

  func decide(
    _ classification: Classification, size: Int, retention: Retention?
  ) throws -> Decision {
    try policy.decide(
      classification, size: size, retention: retention,
      hasCompositeKey: options.compositeKey != nil)
  }

  // MARK: The running program

  func noteRuntimeCheck() { state.withLock { $0.lastRuntimeCheck = .now } }

  /// Before a value is stored or read.
  func checkRuntimeIfDue() throws {
    guard options.runtimePolicy != .report else { return }
    let last = state.withLock { $0.lastRuntimeCheck }
    if let last, .now - last < options.runtimeInterval { return }
    try checkRuntime()
  }

  // MARK: What is in memory

  /// The key under a compartment's passphrase, while it is kept.
  func passphraseKey(of compartment: Data) -> TimedSecret {
    state.withLock { state in
      if let known = state.passphraseKeys[compartment] { return known }
      let new = TimedSecret(now: { [keychain] in keychain.now })
      state.passphraseKeys[compartment] = new
      return new
    }
  }

  /// Keeps the key under a passphrase, unless the device was locked since.
  func keep(_ key: SecretBox, of compartment: Data, since locks: Int) {
    let place = passphraseKey(of: compartment)
    state.withLock { state in
      guard state.locks == locks else { return }
      place.keep(key, for: options.passphraseLifetime)
    }
  }

  /// How often the device was locked, or the vault was wiped.
  var locks: Int { state.withLock { $0.locks } }

  /// Lets go of what is in memory of a compartment, or of all, whose values are gone.
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
  }

  func watch(_ handle: ProtectedFileHandle, of compartment: Data) {
    state.withLock { state in
      state.handles.removeAll { $0.handle == nil }
      state.handles.append(WeakHandle(handle: handle, compartment: compartment))
    }
    // A lock just before this was not told to it.
    handle.lock()
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

  /// At a lock.
  private func forget() {
    let (keys, handles, preferences) = state.withLock { state in
      state.locks += 1
      return (
        Array(state.passphraseKeys.values), state.handles.compactMap(\.handle),
        state.preferences.values.compactMap(\.preferences)
      )
    }
    for key in keys { key.erase() }
    for handle in handles { handle.lock() }
    for preferences in preferences { preferences.forget() }
  }
}
