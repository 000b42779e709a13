import AtRestCrypto
import AtRestTPM
import Foundation

extension DeviceRoot {
  /// Returns the stores that need the device key in a folder: those that the device remembers, except
  /// those that were wiped. If the key does not open, wiped ones are among them.
  public static func stores(in folder: URL) throws -> [StoreIdentity] {
    let device = try? open(in: folder)
    let storages =
      switch try? present(in: folder) {
      case .tpm: [TPMDeviceKey.storage(in: folder)]
      case .file: [FolderStorage(folder)]
      case nil: [FolderStorage(folder), TPMDeviceKey.storage(in: folder)]
      }
    let names = try storages.flatMap { try DeviceFolder($0, patience: .zero).names() }
    return names.compactMap { name in
      guard name.hasSuffix(DeviceRecord.suffix) else { return nil }
      return StoreIdentity(text: String(name.dropLast(DeviceRecord.suffix.count)))
    }.filter { store in
      guard let device, let record = try? DeviceRecord.load(store, from: device) else {
        return true
      }
      return record.state != .wiped
    }
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
  public static func remove(in folder: URL) throws {
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
