import AtRestCrypto
import Foundation

/// Wiping a store.
extension Keybag {
  /// Destroys the effaceable key, which makes everything in the store unreadable at once,
  /// regardless of its size. Also removes the keybag and the keychain's database.
  ///
  /// The device remembers that the store was wiped, and never accepts a copy of the store again.
  ///
  /// Every process that has the store open is told before the files go, and erases its keys. A process
  /// that is stopped at the time notices the wipe at its next use of the store.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` and ``AtRestError/Code/system`` if the file system
  ///   refuses an operation.
  public func wipe() throws {
    var isBegun = false
    do {
      try Self.inTurn(device, store) {
        isBegun = true
        try state.withLock { try wipe(&$0) }
      }
    } catch AtRestError.Code.busy where !isBegun {
      // A process that was stopped while it held the lock must not prevent a wipe.
      try state.withLock { try wipe(&$0) }
    }
    close()
  }

  func wipe(_ state: inout State) throws {
    let notice = (try? notice).flatMap { $0 }
    announce(notice, &state)
    // The device's share is destroyed first. From here on, no copy of the store opens, even if a
    // later step fails.
    try DeviceRecord.wiped.save(store, to: device)
    state.end(Self.wiped(storage.location))
    // The other processes find the wipe on the device, and erase all keys.
    announce(notice, &state)
    do {
      try removeFiles()
    } catch let error as AtRestError where error.isOfSystem {
      throw AtRestError(
        .system,
        "The store in \(storage.location) is wiped and opens nothing, but some of its files are "
          + "left. \(error.message)",
        remedy: "Delete the folder.", cause: error)
    }
  }

  /// Removes the files of the wiped store, and the device's records of it except the wipe itself.
  private func removeFiles() throws {
    func remove() throws {
      // Another store may be in the folder by now.
      guard try isInPlace() else { return }
      // The keybag is removed last, so that an interrupted wipe is recognised.
      let removal = Result { try Self.removeDatabase(in: storage) }
      try storage.destroy(Self.fileName)
      try removal.get()
    }
    var isBegun = false
    do {
      try storage.exclusivelyInPlace {
        isBegun = true
        try remove()
      }
    } catch AtRestError.Code.busy where !isBegun {
      // A process that was stopped while it held the lock finds the wipe when it continues.
      try remove()
    } catch AtRestError.Code.storeMissing {
      // The folder is gone already.
    }
    try forgetOnDevice()
  }

  private func forgetOnDevice() throws {
    try RememberedStore.forgetRecords(of: store, on: device)
    if let folder = (storage as? FolderStorage)?.folder {
      try StorePlace(folder).forget(store, on: device)
    }
  }

  /// Returns true unless the folder is known to contain another store.
  func isInPlace() throws -> Bool {
    guard var stored = try storage.read(Self.fileName) else { return true }
    defer { stored.erase() }
    let head = try? KeybagFile.head(of: stored, location: storage.location)
    return head == nil || head?.store == store
  }

  /// Finishes a wipe of the store in a folder that was interrupted after the device recorded it. A copy
  /// of the store in another folder stays as it is.
  static func finishWipe(in storage: any StoreStorage, _ device: any DeviceKeyProvider) {
    guard let folder = (storage as? FolderStorage)?.folder,
      var stored = (try? storage.read(fileName)).flatMap({ $0 })
    else { return }
    defer { stored.erase() }
    guard let head = try? KeybagFile.head(of: stored, location: storage.location),
      (try? StorePlace(folder).stores(on: device)) == [head.store]
    else { return }
    // An interrupted wipe can be finished at any later opening.
    try? inTurn(device, head.store) {
      guard try DeviceRecord.load(head.store, from: device)?.state == .wiped else { return }
      try storage.exclusivelyInPlace {
        guard var now = try storage.read(fileName) else { return }
        defer { now.erase() }
        guard now == stored else { return }
        // The process that began the wipe may have ended before it told the others that the device has it.
        if let folder = storage as? FolderStorage { _ = try? LockNotice(in: folder).announce() }
        try discard(in: storage)
      }
      try RememberedStore.forgetRecords(of: head.store, on: device)
      try StorePlace(folder).forget(head.store, on: device)
    }
  }

  /// Destroys the files of a store, even of one that does not open. Copies of the store are not
  /// refused afterwards, because the identity of the destroyed store is unknown.
  package static func discard(in storage: any StoreStorage) throws {
    let removal = Result { try removeDatabase(in: storage) }
    try storage.destroy(fileName)
    try removal.get()
  }

  private static func removeDatabase(in storage: any StoreStorage) throws {
    for suffix in databaseSuffixes { try storage.remove(databaseName + suffix) }
  }
}
