import AtRestCrypto
import Foundation

/// Wiping a store.
extension Keybag {
  /// Destroys the effaceable key, which makes everything in the store unreadable at once,
  /// regardless of its size. Also removes the keybag and the keychain's database.
  ///
  /// The device remembers that the store was wiped, and never accepts a copy of the store again.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` and ``AtRestError/Code/system`` if the file system
  ///   refuses an operation; ``AtRestError/Code/busy`` if another process holds the device's lock
  ///   for too long.
  public func wipe() throws {
    try Self.inTurn(device, store) { try state.withLock { try wipe(&$0) } }
    close()
  }

  func wipe(_ state: inout State) throws {
    // The device's share is destroyed first. From here on, no copy of the store opens, even if a
    // later step fails.
    try DeviceRecord.wiped.save(store, to: device)
    state.forgetKeys()
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
    try storage.exclusively {
      // Another store may be in the folder by now.
      guard try isInPlace() else { return }
      // The keybag is removed last, so that an interrupted wipe is recognised.
      let removal = Result { try Self.removeDatabase(in: storage) }
      try storage.destroy(Self.fileName)
      try removal.get()
    }
    try device.forget(AttemptRecord.name(store))
    try device.forget(counterName)
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

  /// Destroys the files of a store, even of one that does not open. Copies of the store are not
  /// refused afterwards, because the identity of the destroyed store is unknown.
  package static func discard(in storage: any StoreStorage) throws {
    try storage.destroy(fileName)
    try removeDatabase(in: storage)
  }

  private static func removeDatabase(in storage: any StoreStorage) throws {
    for suffix in databaseSuffixes { try storage.remove(databaseName + suffix) }
  }
}
