import AtRestCrypto
import Foundation

/// Wiping a store.
extension Keybag {
  /// Destroys the effaceable key, which makes everything in the store unreadable at once,
  /// regardless of size. Removes the keybag and the keychain's database.
  ///
  /// The device remembers that the store was wiped: a copy of it is never accepted again.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` and ``AtRestError/Code/system`` if the file system
  ///   refuses; ``AtRestError/Code/busy`` if another process holds the device's lock for too long.
  public func wipe() throws {
    try Self.inTurn(device, store) { try state.withLock { try wipe(&$0) } }
    close()
  }

  func wipe(_ state: inout State) throws {
    // The device's share goes first: from here on no copy of the store opens, whatever fails next.
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

  /// Removes the files of the wiped store, and what the device remembers of it.
  private func removeFiles() throws {
    try storage.exclusively {
      // Another store may be in the folder by now.
      guard try isInPlace() else { return }
      // The keybag goes last, so an interrupted wipe is recognised as one.
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

  /// Returns true if this store is the one in the folder, or if the folder has no store.
  func isInPlace() throws -> Bool {
    guard var stored = try storage.read(Self.fileName) else { return true }
    defer { stored.erase() }
    let head = try? KeybagFile.head(of: stored, location: storage.location)
    return head == nil || head?.store == store
  }

  /// Destroys the files of a store, even of one that does not open. Copies of such a store are not
  /// refused afterwards, because nothing shows which store it was.
  package static func discard(in storage: any StoreStorage) throws {
    try storage.destroy(fileName)
    try removeDatabase(in: storage)
  }

  private static func removeDatabase(in storage: any StoreStorage) throws {
    for suffix in databaseSuffixes { try storage.remove(databaseName + suffix) }
  }
}
