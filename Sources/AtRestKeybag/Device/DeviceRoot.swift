import AtRestCrypto
import AtRestTPM
import Foundation

/// The kinds of places that a device key is kept in.
public enum DeviceRoot: String, Sendable, CaseIterable, Codable {
  /// A file, which can be copied: ``FileDeviceKey``.
  case file
  /// A TPM 2.0, which never gives the key away: ``TPMDeviceKey``.
  case tpm

  /// The kind for new device keys: the one that the variable `ATREST_DEVICE_ROOT` names, otherwise a
  /// file.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the variable has another value.
  public static var preferred: DeviceRoot {
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

  /// Opens the device key in a folder, whatever its kind. If there is none, creates one.
  ///
  /// - Parameters:
  ///   - folder: The folder of the key.
  ///   - root: The kind of a new key. nil stands for ``preferred``.
  /// - Throws: The errors of ``FileDeviceKey/init(in:)``, ``TPMDeviceKey/init(in:)`` and
  ///   ``TPMDeviceKey/create(in:pcrs:)``.
  public static func open(
    in folder: URL, creating root: DeviceRoot? = nil
  ) throws -> any DeviceKeyProvider {
    if try TPMDeviceKey.isPresent(in: folder) { return try TPMDeviceKey(in: folder) }
    if try FolderStorage(folder).contains(FileDeviceKey.fileName) {
      return try FileDeviceKey(in: folder)
    }
    switch try root ?? preferred {
    case .file: return try FileDeviceKey(in: folder)
    case .tpm: return try TPMDeviceKey.create(in: folder).device
    }
  }

  /// Returns the kind of the device key in a folder, or nil if there is none. Nothing is opened.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` or ``AtRestError/Code/system`` if the folder cannot
  ///   be read.
  public static func present(in folder: URL) throws -> DeviceRoot? {
    if try TPMDeviceKey.isPresent(in: folder) { return .tpm }
    return try FolderStorage(folder).contains(FileDeviceKey.fileName) ? .file : nil
  }

  /// True if a TPM seems to be there. It is not used.
  static var isTPMExpected: Bool {
    let transport = TPM.defaultTransport
    guard transport.hasPrefix("device:") else { return true }
    return access(String(transport.dropFirst("device:".count)), F_OK) == 0
  }
}
