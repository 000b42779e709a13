import AtRestCrypto
import AtRestTPM
import Foundation

/// The files that a move of the device key leaves in the former place if it is interrupted, or if the file
/// system refuses to erase them.
extension TPMDeviceKey {
  /// Finishes a move into the TPM: destroys the key file and the records beside it. Does nothing if they
  /// are gone.
  static func removeLeftovers(in folder: URL) throws {
    let storage = FolderStorage(folder)
    guard try !keyFiles(in: storage).isEmpty else { return }
    // The folder with the key in the TPM must outlast a power loss before the file goes.
    try storage.made().flush()
    for name in try DeviceFolder(storage, patience: .zero).names() { try storage.destroy(name) }
    // The key is destroyed last, so that an interrupted removal is recognized.
    for name in try keyFiles(in: storage) { try storage.eraseAlone(name) }
  }

  /// The names of the files that have, or had, a device key.
  static func keyFiles(in storage: FolderStorage) throws -> [String] {
    guard let folder = try storage.opened() else { return [] }
    return try folder.names().map { String(decoding: $0, as: UTF8.self) }.filter {
      $0 == FileDeviceKey.fileName || $0.hasPrefix(FileDeviceKey.fileName + ".")
    }
  }

  /// Throws an error if the key file of a folder cannot be erased, before the key is moved.
  static func checkIsErasable(in folder: URL) throws {
    let storage = FolderStorage(folder)
    do {
      try storage.finishErasing(FileDeviceKey.fileName)
      try storage.checkIsErasable(FileDeviceKey.fileName)
    } catch let error as AtRestError {
      throw AtRestError(
        error.code == .notPermitted ? .notPermitted : .system,
        "The device key stays in its file, which could not be erased after a move. "
          + error.message,
        remedy: "Make the folder and its files writable (chmod, chattr -i), and try again. "
          + "Nothing was modified.", cause: error)
    }
  }

  /// The risks of former device keys in a folder.
  static func leftoverRisks(in folder: URL) -> [StoreRisk] {
    let storage = FolderStorage(folder)
    let isInTPM = (try? isPresent(in: folder)) ?? false
    if isInTPM {
      let names: [String]
      do {
        names = try keyFiles(in: storage)
        guard !names.isEmpty else { return [] }
      } catch {
        names = [FileDeviceKey.fileName]
      }
      let paths = names.sorted().map(storage.path).joined(separator: ", ")
      return [
        StoreRisk(
          id: "device-key-in-file",
          message:
            "The device key was moved into the TPM, but its former file could not be erased: "
            + "whoever can read \(paths) has the key.",
          remedy:
            "Make the folder and the file writable (chmod, chattr -i). The next opening of the "
            + "store erases the file.")
      ]
    }
    guard (try? storage.contains(formerName)) != false else { return [] }
    return [
      StoreRisk(
        id: "former-device-folder",
        message: "The device key was moved out of the TPM, but its former folder could not be "
          + "removed: \(storage.path(formerName)).",
        remedy: "Make the folder writable. The next opening of the store removes it.")
    ]
  }
}
