import AtRestCrypto
import Foundation

/// The end of a store.
extension Keybag {
  /// Destroys the effaceable key, so that everything in the store is unreadable at once, whatever its
  /// size. Removes the keybag and the keychain's database.
  ///
  /// The device remembers that the store was wiped: a copy of it is never accepted again.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the file system refuses;
  ///   ``AtRestError/Code/busy`` if another process has the turn for too long.
  public func wipe() throws {
    try Self.inTurn(device, store) { try state.withLock { try wipe(&$0) } }
    close()
  }

  func wipe(_ state: inout State) throws {
    // First the device's share: from here on no copy of the store opens, whatever fails next.
    try DeviceRecord.wiped.save(store, to: device)
    state.forgetKeys()
    try storage.exclusively {
      // Another store may be in the folder by now.
      guard try isInPlace() else { return }
      // The keybag is last, so that a wipe that ends early is known as one.
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

  /// Returns true if this store is the one in the folder, or what is there is no store.
  func isInPlace() throws -> Bool {
    guard var stored = try storage.read(Self.fileName) else { return true }
    defer { stored.erase() }
    let head = try? KeybagFile.head(of: stored, location: storage.location)
    return head == nil || head?.store == store
  }

  /// Destroys the files of a store, also of one that does not open. Copies of a store that does not
  /// open are not refused afterwards, because nothing shows which store it was.
  package static func discard(in storage: any StoreStorage) throws {
    try storage.destroy(fileName)
    try removeDatabase(in: storage)
  }

  private static func removeDatabase(in storage: any StoreStorage) throws {
    for suffix in databaseSuffixes { try storage.remove(databaseName + suffix) }
  }
}
