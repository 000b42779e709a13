import AtRestCrypto
import Foundation

/// The store that the device remembers in a folder, for programs that make a store without being asked.
extension StoreLocation {
  /// Opens the store's keybag, or makes a store without a passcode where the device remembers none
  /// there.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the device remembers a store there, and it is
  ///   gone or another is in its place: nothing is made then. Otherwise as ``makeDevice()`` and
  ///   `Keybag.open`.
  package func openOrMakeKeybag() throws -> Keybag {
    let device = try makeDevice()
    let place = StorePlace(store)
    guard try !place.stores(on: device).isEmpty else {
      do {
        // In turn with other processes, so that none opens what another has half made.
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
    // Read again: another process may have wiped the store and made a new one.
    guard try place.stores(on: device).isSubset(of: [keybag.store]) else {
      keybag.close()
      throw missing("was replaced by another")
    }
    try place.remember(keybag.store, on: device)
    return keybag
  }

  /// The error for a folder that has no store: it never had one, or the one that the device remembers is
  /// gone.
  func refusalOfEmptyFolder() throws -> AtRestError {
    // Looked at first, so that a mistyped folder makes no device key.
    if try OpenFolder.ifPresent(device.path, followingLinks: true) != nil,
      try !StorePlace(store).stores(on: makeDevice()).isEmpty
    {
      return missing("is gone")
    }
    return AtRestError(
      .notFound, "There is no store in \(store.path).",
      remedy: "Make one (atrest init), or name its folder (--store, ATREST_STORE).")
  }

  private func missing(_ what: String) -> AtRestError {
    AtRestError(
      .storeMissing, "The store that belongs in \(store.path) \(what).",
      remedy: "Mount its disk or put it back. If you put another store there yourself, accept it: "
        + "atrest restore --accept-older. To start anew on purpose, run atrest init, or call "
        + "DefaultKeychain.reset().")
  }

  /// Remembers that a store belongs in the folder, in place of the one that did.
  ///
  /// Call it after a store was moved there on purpose.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the device's folder cannot be written.
  public func acceptStore(_ keybag: Keybag) throws {
    try StorePlace(store).remember(keybag.store, on: keybag.device)
  }

  /// Forgets which store belongs in the folder, so that the next call that needs one takes the store that
  /// is there, or makes one.
  ///
  /// No store is changed. Call it after a store was moved or removed on purpose.
  ///
  /// - Throws: As ``makeDevice()``.
  public func forgetStore() throws {
    // Where there is no device key nothing is remembered, and none is made for this.
    guard try OpenFolder.ifPresent(device.path, followingLinks: true) != nil else { return }
    try StorePlace(store).forget(on: makeDevice())
  }
}
