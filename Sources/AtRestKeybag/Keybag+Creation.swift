import AtRestCrypto
import Foundation

/// Creating a store.
extension Keybag {
  /// Creates a store without a passcode in a folder.
  ///
  /// A wipe may leave a keychain database without a keybag. Such a database is renamed to
  /// `keychain.db.former-` followed by a random number.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if there is already a store;
  ///   ``AtRestError/Code/notPermitted`` if the folder exists and belongs to another user, or if
  ///   other users can write to it; ``AtRestError/Code/busy`` if another process holds the device's
  ///   lock for too long.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, options: Options = Options()
  ) throws -> Keybag {
    try remembered(
      in: folder,
      create(in: newStorage(folder), device: device, passcode: nil, options: options))
  }

  /// Creates a store with a passcode in a folder.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the passcode is empty, or is shorter than
  ///   `shortestPasscode` and the options do not allow that; otherwise the errors of
  ///   `create(at:device:options:)`.
  public static func create(
    at folder: URL, device: any DeviceKeyProvider, passcode: borrowing SecretBytes,
    options: Options = Options()
  ) throws -> Keybag {
    try remembered(
      in: folder,
      create(
        in: newStorage(folder), device: device, passcode: SecretBox(passcode.duplicate()),
        options: options))
  }

  private static func newStorage(_ folder: URL) throws -> FolderStorage {
    let storage = FolderStorage(folder)
    try storage.checkNew()
    return storage
  }

  /// Records on the device which store belongs in a folder.
  private static func remembered(in folder: URL, _ keybag: Keybag) throws -> Keybag {
    try StorePlace(folder).remember(keybag.store, on: keybag.device)
    try keybag.followLocks()
    return keybag
  }

  package static func create(
    in storage: any StoreStorage, device: any DeviceKeyProvider, passcode: SecretBox?,
    options: Options, clock: BootClock = .system
  ) throws -> Keybag {
    let isWeak =
      try passcode.map {
        try Self.isWeak(passcode: $0, allowed: options.allowsWeakPasscode)
      } ?? false
    return try storage.exclusively {
      try makeRoom(in: storage, device)
      let folder = (storage as? FolderStorage)?.folder
      RememberedStore.tidy(for: folder, on: device)
      let store = StoreIdentity.random()
      let shares = KeyShares.random()
      var keys = ClassKeys(present: 1)
      keys.add(ClassKeys.random(forPasscode: passcode != nil), as: 1)
      let indexKey = SecretBox(.random(count: 32))
      var file = KeybagFile(
        generation: 1, store: store, device: try fingerprint(of: device),
        hasPasscode: passcode != nil, isPasscodeWeak: isWeak,
        attemptLimit: options.attemptLimit, kdf: options.kdf, salt: Data(),
        wrappedIndexKey: Data(), sets: [])
      try seal(
        keys, indexKey, into: &file, passcode: passcode, effaceable: shares.joined,
        device: device)
      return try inTurn(device, store) {
        // A crash before the keybag is written leaves nothing that looks like a store, and records that
        // the next creation drops.
        let record = DeviceRecord(generation: 1, share: shares.device)
        try record.creating.save(store, to: device)
        try AttemptRecord.none.save(store, to: device)
        if let folder { try RememberedStore.remember(store, in: folder, on: device) }
        try write(file, shares, to: storage, device)
        // Every opening does so too, before anything can be stored.
        try record.save(store, to: device)
        let keybag = Keybag(
          storage: storage, device: device,
          loaded: LoadedKeybag(file: file, effaceable: shares.joined, isUnfinished: false),
          clock: clock)
        keybag.state.withLock { state in
          state.keys = keys
          state.indexKey = indexKey
          state.lockState = .unlocked
          state.events.marks = keybag.sight.marks()
        }
        return keybag
      }
    }
  }

  /// Throws an error if there is a store, even a damaged one. Otherwise removes the keybag of a
  /// wiped store, and renames a database that has no keybag.
  private static func makeRoom(
    in storage: any StoreStorage, _ device: any DeviceKeyProvider
  ) throws {
    if var stored = try storage.read(fileName) {
      defer { stored.erase() }
      guard let head = try? KeybagFile.head(of: stored, location: storage.location),
        try DeviceRecord.load(head.store, from: device)?.state == .wiped
      else {
        throw AtRestError(
          .duplicate, "There is already a store in \(storage.location).",
          remedy: "Open it, wipe it first, or choose another folder.")
      }
      try storage.destroy(fileName)
    }
    let aside = "\(databaseName).former-\(StoreIdentity.random().text.prefix(8))"
    for suffix in databaseSuffixes where try storage.contains(databaseName + suffix) {
      try storage.rename(databaseName + suffix, to: aside + suffix)
    }
  }
}
