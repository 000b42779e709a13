import Foundation

extension StoreLocation {
  /// The protections that this choice of folders cannot provide.
  ///
  /// - `device-key-beside-store`: a single copy of a disk or a folder contains both the store and
  ///   its device key.
  /// - `open-permissions`: other users of the machine can reach a folder or a file.
  public var risks: [StoreRisk] { besideRisks + permissionRisks }

  private var permissionRisks: [StoreRisk] {
    let inTPM = device.appendingPathComponent(TPMDeviceKey.folderName)
    let open =
      Self.openPaths(in: store) + Self.openPaths(in: device) + Self.openPaths(in: inTPM)
    guard !open.isEmpty else { return [] }
    let more = open.count > 3 ? " and \(open.count - 3) more" : ""
    return [
      StoreRisk(
        id: "open-permissions",
        message: "Other users of this machine can reach \(open.prefix(3).joined(separator: ", "))"
          + "\(more).",
        remedy: "Remove the permissions: chmod 700 for folders, chmod 600 for files.")
    ]
  }

  /// Returns the paths of the folder and of AtRest's files in it, each with its mode, if users
  /// other than the owner can reach them.
  private static func openPaths(in url: URL) -> [String] {
    guard let folder = OpenFolder.opened(url.path) else { return [] }
    func described(_ path: String, _ status: stat) -> String? {
      guard status.st_mode & S_IFMT != S_IFLNK, status.st_mode & 0o077 != 0 else { return nil }
      return "\(path) (mode \(String(status.st_mode & 0o7777, radix: 8)))"
    }
    let names = ((try? folder.names()) ?? []).map { SystemPath.text($0) }
      .filter(isOwnName).sorted()
    return [(try? folder.status()).flatMap { described(url.path, $0) }].compactMap { $0 }
      + names.compactMap { name in
        folder.status(of: name).flatMap { described(folder.path(name), $0) }
      }
  }

  /// Returns true if a file with this name may belong to AtRest. The folder may also contain other
  /// files.
  private static func isOwnName(_ name: String) -> Bool {
    name == "lock" || DeviceFolder.isRecord(name)
      || ["keybag", "keychain.db", "device.", "anchor"].contains { name.hasPrefix($0) }
  }

  private var besideRisks: [StoreRisk] {
    guard isDeviceKeyBesideStore, (try? DeviceRoot.present(in: device)) != .tpm else { return [] }
    return [
      StoreRisk(
        id: "device-key-beside-store",
        message:
          "The store and its device key are on one file system: a copy of the disk, or a backup "
          + "that has both, opens everything that no passcode protects.",
        remedy:
          "Leave \(device.path) out of backups and set a passcode, if there is none, or keep the device key on "
          + "another disk (--device, ATREST_DEVICE).")
    ]
  }

  private var isDeviceKeyBesideStore: Bool {
    let store = RealPath.of(store)
    let device = RealPath.of(device)
    if Self.parent(of: store) == Self.parent(of: device) { return true }
    guard let one = Self.fileSystem(of: store), let other = Self.fileSystem(of: device) else {
      return false
    }
    return one == other
  }

  private static func parent(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// Returns the file system of a folder, or of the folder in which it will be created.
  private static func fileSystem(of path: String) -> dev_t? {
    var folder = URL(fileURLWithPath: path)
    while true {
      if let status = SystemPath.status(folder.path) { return status.st_dev }
      guard folder.path != "/" else { return nil }
      folder.deleteLastPathComponent()
    }
  }
}
