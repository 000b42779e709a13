import AtRestCrypto
import Foundation

/// A keybag that was read and authenticated.
struct LoadedKeybag {
  var file: KeybagFile
  /// The effaceable key: the store's share and the device's share.
  var effaceable: SecretBox
  /// True if a change of the keybag, or its creation, was interrupted or is under way.
  var isUnfinished: Bool
}

/// Reading the keybag, and the device's record of it.
extension Keybag {
  static let databaseName = "keychain.db"
  static let databaseSuffixes = ["", "-wal", "-shm"]

  package static func noStore(_ location: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no store in \(location).",
      remedy: "Create one (atrest init), or specify its folder (--store, ATREST_STORE).")
  }

  static func wiped(_ location: String, _ reason: String = "was wiped") -> AtRestError {
    AtRestError(
      .wiped, "The store in \(location) \(reason).",
      remedy: "Nothing in it can be read again. Create a new store and restore a backup.")
  }

  /// Reads and authenticates the keybag, without taking a lock or writing anything.
  ///
  /// - Parameter known: The identity of the store that this folder had before. If the store is
  ///   missing now, the error says whether it was wiped.
  static func load(
    _ storage: any StoreStorage, _ device: any DeviceKeyProvider,
    expecting: StoreIdentity? = nil, known: StoreIdentity? = nil
  ) throws -> LoadedKeybag {
    for _ in 0..<100 {
      guard var stored = try storage.read(fileName) else {
        let error = try missing(storage, device, known: known)
        // Another process may have created the keybag, and then the database, since the first look.
        if error.code == .damaged, try storage.contains(fileName) { continue }
        throw error
      }
      defer { stored.erase() }
      let head = try KeybagFile.head(of: stored, location: storage.location)
      if let known, head.store != known,
        try DeviceRecord.load(known, from: device)?.state == .wiped
      {
        throw wiped(storage.location)
      }
      try check(head, storage, device, expecting: expecting ?? known)
      let record = try DeviceRecord.load(head.store, from: device)
      // While a keybag is being replaced, the record has the shares for both the current keybag and
      // the next one. If the keybag is the same before and after the record was read, the two
      // therefore belong together.
      guard try isUnchanged(stored, in: storage) else { continue }
      return try authenticate(stored, head, record, storage, device)
    }
    throw AtRestError(
      .busy, "The keybag in \(storage.location) is being replaced continually.",
      remedy: "Find out which program replaces it, and try again.")
  }

  private static func isUnchanged(_ stored: Data, in storage: any StoreStorage) throws -> Bool {
    guard var now = try storage.read(fileName) else { return false }
    defer { now.erase() }
    return now == stored
  }

  static func missing(
    _ storage: any StoreStorage, _ device: any DeviceKeyProvider, known: StoreIdentity?
  ) throws -> AtRestError {
    if let known {
      guard try DeviceRecord.load(known, from: device)?.state != .wiped else {
        return wiped(storage.location)
      }
    } else if try !storage.contains(databaseName) {
      return noStore(storage.location)
    }
    return .damaged(
      "The keybag in \(storage.location) is missing.",
      remedy: "Put the keybag back. If it is lost, create a new store (atrest init), which keeps "
        + "the old database under another name, and restore a backup.")
  }

  private static func check(
    _ head: KeybagFile.Head, _ storage: any StoreStorage, _ device: any DeviceKeyProvider,
    expecting: StoreIdentity?
  ) throws {
    guard try head.device == fingerprint(of: device) else {
      throw AtRestError.damaged(
        "The keybag in \(storage.location) belongs to another device.",
        remedy: "Use it with its own device key, or restore a backup made on that device.")
    }
    guard let expecting, head.store != expecting else { return }
    throw otherStore(storage.location, head.store, expecting: expecting)
  }

  package static func otherStore(
    _ location: String, _ present: StoreIdentity, expecting: StoreIdentity
  ) -> AtRestError {
    AtRestError(
      .otherStore, "The store in \(location) is \(present), but \(expecting) is expected.",
      remedy: "Put the expected store back, or specify its folder (--store, ATREST_STORE).")
  }

  private static func authenticate(
    _ stored: Data, _ head: KeybagFile.Head, _ record: DeviceRecord?,
    _ storage: any StoreStorage, _ device: any DeviceKeyProvider
  ) throws -> LoadedKeybag {
    let location = storage.location
    guard let record else {
      throw AtRestError.damaged(
        "The device folder does not know the store in \(location), and has no share of its key.",
        remedy: "Use the device folder that belongs to it, or restore a backup into a new store.")
    }
    guard record.state != .wiped else { throw wiped(location) }
    guard let share = record.share(for: head.generation) else {
      let isOlder = head.generation < record.generation
      throw AtRestError(
        .rolledBack,
        isOlder
          ? "The keybag in \(location) is from before the last change of the passcode "
            + "(\(head.generation); the current one is \(record.generation)): its key is gone."
          : "The device folder is older (\(record.generation)) than the keybag in \(location) "
            + "(\(head.generation)): the key of that keybag is not in it.",
        remedy: isOlder
          ? "Put the current keybag back, or restore a backup into a new store."
          : "Put the current device folder back, or restore a backup into a new store.")
    }
    let shares = KeyShares(
      store: SecretBox(try KeybagFile.share(in: stored, location: location)), device: share)
    let effaceable = shares.joined
    let file = try KeybagFile.decoded(
      stored, location: location, authenticatedBy: authenticationKey(effaceable, device))
    return LoadedKeybag(
      file: file, effaceable: effaceable,
      isUnfinished: try record.state != .present || storage.needsErasing(fileName))
  }

  // MARK: Locking

  /// Runs a closure while no other thread or process changes the store's keybag, the device's
  /// records of the store, or a copy of the store.
  ///
  /// Only the device's lock is held, because the KDF runs inside the closure and other processes
  /// must be able to open the store meanwhile. The store's own lock is taken only while files are
  /// replaced.
  static func inTurn<Result: ~Copyable>(
    _ device: any DeviceKeyProvider, _ store: StoreIdentity, _ body: () throws -> Result
  ) throws -> Result {
    try device.exclusively(DeviceRecord.name(store), body)
  }

  /// Reads the keybag, and completes or drops an interrupted change. Call this method only while
  /// holding the device's lock.
  static func loadFinishing(
    _ storage: any StoreStorage, _ device: any DeviceKeyProvider, _ store: StoreIdentity
  ) throws -> LoadedKeybag {
    if try storage.needsErasing(fileName) {
      try storage.exclusivelyInPlace { try storage.finishErasing(fileName) }
    }
    var loaded = try load(storage, device, known: store)
    guard loaded.isUnfinished else { return loaded }
    let record = try DeviceRecord.load(store, from: device)
    try record?.settled(on: loaded.file.generation)?.save(store, to: device)
    loaded.isUnfinished = false
    return loaded
  }

  /// Writes a keybag. Save the device's share in the device's record first, and call this method
  /// only while holding the store's lock.
  static func write(
    _ file: KeybagFile, _ shares: KeyShares, to storage: any StoreStorage,
    _ device: any DeviceKeyProvider
  ) throws {
    var encoded = try file.encoded(
      share: shares.store.bytes, authenticatedBy: authenticationKey(shares.joined, device))
    defer { encoded.erase() }
    try storage.replaceErasing(fileName, with: encoded)
  }
}
