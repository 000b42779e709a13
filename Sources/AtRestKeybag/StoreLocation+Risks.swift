import Foundation

extension StoreLocation {
  /// What the choice of folders cannot give.
  ///
  /// `device-key-beside-store`: one copy, of a disk or of a folder, has both the store and its device key.
  public var risks: [Risk] {
    guard isDeviceKeyBesideStore else { return [] }
    return [
      Risk(
        id: "device-key-beside-store",
        message:
          "The store and its device key are on one file system: a copy of the disk, or a backup "
          + "that has both, opens everything that no passcode protects.",
        remedy: "Set a passcode and leave \(device.path) out of backups, or keep the device key on "
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

  /// The file system of a folder, or of the folder in which it will be made.
  private static func fileSystem(of path: String) -> dev_t? {
    var folder = URL(fileURLWithPath: path)
    while true {
      var status = stat()
      if stat(folder.path, &status) == 0 { return status.st_dev }
      guard folder.path != "/" else { return nil }
      folder.deleteLastPathComponent()
    }
  }
}
