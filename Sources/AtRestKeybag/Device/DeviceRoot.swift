import AtRestCrypto
import AtRestTPM
import Foundation

/// The kinds of places that a device key is kept in.
public enum DeviceRoot: String, Sendable, CaseIterable, Codable {
  /// A file, which can be copied: ``FileDeviceKey``.
  case file
  /// A TPM 2.0, which never gives the key away: `TPMDeviceKey`.
  case tpm

  /// The kind for new device keys: the one that the variable `ATREST_DEVICE_ROOT` names, otherwise a
  /// file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the variable has another value.
  package static var preferred: DeviceRoot {
    get throws {
      let variable = ProcessInfo.processInfo.environment["ATREST_DEVICE_ROOT"] ?? ""
      guard !variable.isEmpty else { return .file }
      guard let root = DeviceRoot(rawValue: variable) else {
        throw AtRestError.invalid(
          "ATREST_DEVICE_ROOT is \"\(variable)\".", remedy: "Set it to file or to tpm.")
      }
      return root
    }
  }

  /// Opens the device key in a folder, whatever its kind. Nothing is created.
  ///
  /// - Throws: ``AtRestError/Code/deviceMissing`` if there is none; the errors of
  ///   ``FileDeviceKey/init(in:)`` and `TPMDeviceKey.init(in:)`.
  public static func open(in folder: URL) throws -> any DeviceKeyProvider {
    switch try present(in: folder) {
    case .tpm: try TPMDeviceKey(in: folder)
    case .file: try FileDeviceKey(in: folder)
    case nil: throw missing(in: folder)
    }
  }

  /// Opens the device key in a folder, whatever its kind. If the folder has nothing of a device, creates
  /// a key there.
  ///
  /// - Parameters:
  ///   - folder: The folder of the key.
  ///   - root: The kind of a new key. nil stands for `preferred`.
  /// - Throws: The errors of ``open(in:)``, ``FileDeviceKey/create(in:)`` and
  ///   `TPMDeviceKey.create(in:pcrs:)`.
  public static func openOrCreate(
    in folder: URL, as root: DeviceRoot? = nil
  ) throws -> any DeviceKeyProvider {
    guard try present(in: folder) == nil else { return try open(in: folder) }
    do {
      switch try root ?? preferred {
      case .file: return try FileDeviceKey.create(in: folder)
      case .tpm: return try TPMDeviceKey.create(in: folder).device
      }
    } catch AtRestError.Code.duplicate {
      // Another process created it meanwhile.
      return try open(in: folder)
    }
  }

  /// Returns the kind of the device key in a folder, or nil if the folder has nothing of a device.
  /// Nothing is opened.
  ///
  /// - Throws: ``AtRestError/Code/deviceMissing`` if the folder has the records of stores, but no key;
  ///   ``AtRestError/Code/notPermitted`` or ``AtRestError/Code/system`` if the folder cannot be read.
  public static func present(in folder: URL) throws -> DeviceRoot? {
    if let root = try keyed(folder) { return root }
    let orphans = try orphans(in: folder)
    guard let orphan = orphans.first else { return nil }
    // Another process may have created the key, and then the records, since the first look.
    if let root = try keyed(folder) { return root }
    throw AtRestError(
      .deviceMissing,
      "The device key in \(folder.path) is missing, but there are other files of a device, such as "
        + "\(orphan).",
      remedy: missingRemedy
        + " Before that, remove what is left of the device (atrest device remove).")
  }

  /// Returns the kind of the device key in a folder, or nil if there is no key.
  private static func keyed(_ folder: URL) throws -> DeviceRoot? {
    if try TPMDeviceKey.isPresent(in: folder) { return .tpm }
    return try FolderStorage(folder).contains(FileDeviceKey.fileName) ? .file : nil
  }

  /// True if a folder without a device key has records of a device.
  static func hasRecords(in folder: URL) throws -> Bool { try !orphans(in: folder).isEmpty }

  private static func orphans(in folder: URL) throws -> [String] {
    let storage = FolderStorage(folder)
    let inTPM = TPMDeviceKey.storage(in: folder)
    return try DeviceFolder(storage, patience: .zero).names().map(storage.path)
      + DeviceFolder(inTPM, patience: .zero).names().map(inTPM.path)
      + (inTPM.contains(DeviceAnchor.name) ? [inTPM.path(DeviceAnchor.name)] : [])
  }

  /// The error for a folder that should have a device key.
  static func missing(in folder: URL) -> AtRestError {
    let isFolder = (try? OpenFolder.ifPresent(folder.path, followingLinks: true)) != nil
    return AtRestError(
      .deviceMissing,
      isFolder
        ? "The device folder \(folder.path) has no device key."
        : "The device folder \(folder.path) is missing.", remedy: missingRemedy)
  }

  static let missingRemedy =
    "Mount its disk, put it back, or name it (--device, ATREST_DEVICE). If it is lost, the store never "
    + "opens again: wipe it (atrest wipe), create a new one, and restore a backup."

  static func duplicate(in folder: URL) -> AtRestError {
    AtRestError(
      .duplicate, "There is already a device key in \(folder.path).",
      remedy: "Use it, or choose another folder (--device, ATREST_DEVICE).")
  }

  /// The risks of former device keys that a move left in a folder, also if its key does not open.
  package static func leftoverRisks(in folder: URL) -> [StoreRisk] {
    TPMDeviceKey.leftoverRisks(in: folder)
  }

  /// True if a TPM seems to be there. It is not used.
  static var isTPMExpected: Bool {
    let transport = TPM.defaultTransport
    guard transport.hasPrefix("device:") else { return true }
    return access(String(transport.dropFirst("device:".count)), F_OK) == 0
  }
}
