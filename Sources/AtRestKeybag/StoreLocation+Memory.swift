import AtRestCrypto
import Foundation

/// The store that the device remembers for a folder, for programs that create a store
/// automatically.
extension StoreLocation {
  /// Opens the store's keybag. If the device remembers no store in the folder, opens the store that
  /// it finds there, or creates one without a passcode.
  ///
  /// A device key is created only if neither folder has anything of a store or a device.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the store that the device remembers is gone or
  ///   was replaced by another one, in which case nothing is created;
  ///   ``AtRestError/Code/deviceMissing`` if there is a store, but no device key; otherwise the errors of
  ///   ``makeDevice(_:)`` and `Keybag.open`.
  package func openOrMakeKeybag() throws -> Keybag {
    // In this order: another process that creates both creates the device key first.
    if try hasStore, try DeviceRoot.present(in: device) == nil {
      throw DeviceRoot.missing(in: device)
    }
    let device = try makeDevice()
    let place = StorePlace(store)
    guard try !place.stores(on: device).isEmpty else {
      do {
        // The lock keeps other processes from opening a store that is only partly created.
        return try Keybag.create(at: store, device: device)
      } catch AtRestError.Code.duplicate {
        let keybag = try Keybag.open(at: store, device: device)
        try place.remember(keybag.store, on: device)
        return keybag
      }
    }
    let keybag: Keybag
    do {
      keybag = try Keybag.open(at: store, device: device)
    } catch AtRestError.Code.notFound {
      throw missing("is gone")
    }
    // The record is read again, because another process may have wiped the store and created a new
    // one.
    guard try place.stores(on: device).isSubset(of: [keybag.store]) else {
      keybag.close()
      throw missing("was replaced by another")
    }
    try place.remember(keybag.store, on: device)
    return keybag
  }

  /// Returns the error for a folder without a store: ``AtRestError/Code/storeMissing`` if the
  /// device remembers a store in the folder, otherwise ``AtRestError/Code/notFound``.
  func refusalOfEmptyFolder() throws -> AtRestError {
    // In this order: another process that creates the store lets the device remember it afterwards.
    if try DeviceRoot.present(in: device) != nil,
      try !StorePlace(store).stores(on: openDevice()).isEmpty, try !hasStore
    {
      return missing("is gone")
    }
    return AtRestError(
      .notFound, "There is no store in \(store.path).",
      remedy: "Create one (atrest init), or specify its folder (--store, ATREST_STORE).")
  }

  private func missing(_ what: String) -> AtRestError {
    AtRestError(
      .storeMissing, "The store that belongs in \(store.path) \(what).",
      remedy: "Mount its disk or put it back. If you put another store there yourself, accept it: "
        + "atrest restore --accept-older. To start anew, run atrest init, or call "
        + "DefaultKeychain.reset().")
  }

  /// Remembers that this store belongs in the folder, in place of any other.
  ///
  /// Call this method after you moved a store to the folder.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the device's folder cannot be written.
  package func acceptStore(_ keybag: Keybag) throws {
    try StorePlace(store).remember(keybag.store, on: keybag.device)
  }

  /// The stores that the device remembers in this folder, although it does not have them.
  ///
  /// - Throws: The errors of ``DeviceRoot/stores(in:)``.
  package var goneStores: [RememberedStore] {
    get throws {
      let path = RealPath.of(store)
      return try DeviceRoot.stores(in: device).filter { $0.folder == path && !$0.isThere }
    }
  }

  /// Lets the device refuse the store in the folder, which does not open, with every copy of it, and tells
  /// all processes that have it open.
  ///
  /// Does so only if the device remembers this store in this folder. The identity in a keybag that does not
  /// open is not authenticated, and may be that of a store elsewhere.
  ///
  /// - Returns: True if the device refuses the store now.
  package func retireUnopenedStore() throws -> Bool {
    let storage = FolderStorage(store, acceptsAnyFile: true)
    let device = try openDevice()
    guard var stored = try storage.read(KeybagFile.fileName) else { return false }
    defer { stored.erase() }
    let identity = try KeybagFile.head(of: stored, location: store.path).store
    guard try StorePlace(store).stores(on: device) == [identity] else { return false }
    let notice = try? LockNotice(in: storage)
    _ = try? notice?.announce()
    try Keybag.inTurn(device, identity) { try DeviceRecord.wiped.save(identity, to: device) }
    _ = try? notice?.announce()
    try RememberedStore.forgetRecords(of: identity, on: device)
    return true
  }

  /// Forgets which store belongs in the folder. The next call that needs a store accepts the store
  /// that it finds in the folder, or creates one.
  ///
  /// No store is changed. Call this method after you moved or removed a store.
  ///
  /// - Throws: The errors of ``openDevice()``.
  package func forgetStore() throws {
    // Without a device key, there is no record to forget.
    guard try DeviceRoot.present(in: device) != nil else { return }
    try StorePlace(store).forget(on: openDevice())
  }
}
