import AtRestCrypto
import Foundation

/// The store that the device remembers for a folder, for programs that create a store
/// automatically.
extension StoreLocation {
  /// Opens the store's keybag. If the device remembers no store there, creates one without a
  /// passcode.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the device remembers a store there, and it is
  ///   gone or another one is in its place: nothing is created then. Otherwise the errors of
  ///   ``makeDevice()`` and `Keybag.open`.
  package func openOrMakeKeybag() throws -> Keybag {
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

  /// Returns the error for a folder without a store: either it never had one, or the store that the
  /// device remembers is gone.
  func refusalOfEmptyFolder() throws -> AtRestError {
    // Checked first, so a mistyped folder creates no device key.
    if try OpenFolder.ifPresent(device.path, followingLinks: true) != nil,
      try !StorePlace(store).stores(on: makeDevice()).isEmpty
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
  /// Call it after you moved a store there.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the device's folder cannot be written.
  public func acceptStore(_ keybag: Keybag) throws {
    try StorePlace(store).remember(keybag.store, on: keybag.device)
  }

  /// Forgets which store belongs in the folder. The next call that needs a store accepts the one
  /// that is there, or creates one.
  ///
  /// No store is changed. Call it after you moved or removed a store.
  ///
  /// - Throws: The errors of ``makeDevice()``.
  public func forgetStore() throws {
    // Without a device key nothing is remembered, and none is created for this.
    guard try OpenFolder.ifPresent(device.path, followingLinks: true) != nil else { return }
    try StorePlace(store).forget(on: makeDevice())
  }
}
