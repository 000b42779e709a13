@_spi(Tools) import AtRestKeybag
import Foundation

/// A folder for a store and one for its device, removed with this object.
final class Scratch {
  let folder: URL
  var store: URL { folder.appendingPathComponent("store") }
  var device: URL { folder.appendingPathComponent("device") }
  var location: StoreLocation { StoreLocation(store: store.path, device: device.path) }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-agent-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
