import Foundation

extension Keybag {
  /// The folders of the store and of its device key, or nil if one of them is in memory.
  package var location: StoreLocation? {
    guard let storage = storage as? FolderStorage else { return nil }
    let folder =
      switch device {
      case let device as FileDeviceKey: device.location
      case let device as TPMDeviceKey: device.folder
      default: URL?.none
      }
    return folder.map { StoreLocation(store: storage.folder.path, device: $0.path) }
  }
}
