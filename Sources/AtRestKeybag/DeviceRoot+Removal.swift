import AtRestCrypto
import AtRestTPM
import Foundation

extension DeviceRoot {
  /// Returns the stores that need the device key in a folder: those that the device remembers, except
  /// those that were wiped. If the key or a record does not open, wiped ones may be among them.
  package static func stores(in folder: URL) throws -> [RememberedStore] {
    let device = try? open(in: folder)
    if let device = device as? any ListedDevice & DeviceKeyProvider,
      let stores = try? RememberedStore.all(on: device)
    {
      return stores
    }
    let storages =
      switch try? present(in: folder) {
      case .tpm: [TPMDeviceKey.storage(in: folder)]
      case .file: [FolderStorage(folder)]
      case nil: [FolderStorage(folder), TPMDeviceKey.storage(in: folder)]
      }
    let names = try storages.flatMap { try DeviceFolder($0, patience: .zero).names() }
    return RememberedStore.identities(in: names).filter { store in
      guard let device, let record = try? DeviceRecord.load(store, from: device) else {
        return true
      }
      return record.state != .wiped
    }.map { RememberedStore($0, on: device) }
  }

  /// Lets the device key in a folder forget a store that is gone. The device then treats it as one that
  /// was wiped: it never opens again, not even from a copy. In a TPM, its counter is freed.
  ///
  /// Wipe a store that is there instead (`Keybag.wipe()`), so that its files go too.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the device does not remember the store;
  ///   ``AtRestError/Code/notPermitted`` if the store is in its folder; the errors of ``open(in:)``;
  ///   ``AtRestError/Code/busy`` if another process uses the store's records for too long.
  package static func forget(_ store: StoreIdentity, in folder: URL) throws {
    let device = try open(in: folder)
    guard let names = try (device as? any ListedDevice)?.names(),
      names.contains(DeviceRecord.name(store)),
      (try? DeviceRecord.load(store, from: device))??.state != .wiped
    else {
      throw AtRestError(
        .notFound, "The device in \(folder.path) remembers no store \(store).",
        remedy: "List its stores: atrest device status.")
    }
    let remembered = RememberedStore(store, on: device)
    if remembered.isThere, let place = remembered.folder {
      throw AtRestError(
        .notPermitted, "The store \(store) is in \(place).",
        remedy: "To destroy it, wipe it: atrest wipe --store \(place).")
    }
    try Keybag.inTurn(device, store) { try DeviceRecord.wiped.save(store, to: device) }
    try RememberedStore.forgetRecords(of: store, on: device)
    try StorePlace.forget(store, among: names, on: device)
  }

  /// Destroys the device key in a folder with all its records, and frees its counters in the TPM. The
  /// stores of the device never open again.
  ///
  /// A folder that has records but no key is cleared too.
  ///
  /// - Throws: ``AtRestError/Code/deviceMissing`` if the folder has nothing of a device;
  ///   ``AtRestError/Code/busy`` if another program uses it; ``AtRestError/Code/deviceUnavailable`` or
  ///   ``AtRestError/Code/notPermitted`` if the counters cannot be freed, in which case nothing was
  ///   removed; ``AtRestError/Code/system``.
  package static func remove(in folder: URL) throws {
    let use = try DeviceUse.beginAlone(in: folder)
    defer { withExtendedLifetime(use) {} }
    var root: DeviceRoot?
    do {
      root = try present(in: folder)
      guard root != nil else { throw missing(in: folder) }
    } catch let error as AtRestError where error.code == .deviceMissing {
      // Without its key, no record is of use.
      guard try hasRecords(in: folder) else { throw error }
    }
    for name in [TPMDeviceKey.folderName, TPMDeviceKey.newName, TPMDeviceKey.formerName] {
      try TPMDeviceKey.discard(
        name, in: folder, TPM(), isForced: root != .tpm || name != TPMDeviceKey.folderName)
    }
    try TPMDeviceKey.removeLeftovers(in: folder)
    // Only what AtRest made is removed, and the folder only if it is empty then.
    let storage = FolderStorage(folder)
    guard let opened = try storage.opened() else { return }
    for name in try opened.names().map({ String(decoding: $0, as: UTF8.self) })
    where name == CacheDirectoryTag.name || name == "lock" || DeviceFolder.isRecord(name) {
      try storage.destroy(name)
    }
    rmdir(folder.path)
  }
}
