import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import Foundation

/// Where the store and the device key are.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store's folder. (default: ATREST_STORE, or the platform's data folder)",
      valueName: "folder"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "The device key's folder, outside of the store. (default: ATREST_DEVICE, or the platform's)",
      valueName: "folder"))
  var device: String?

  var storeFolder: URL {
    Self.folder(store, "ATREST_STORE") ?? PlatformFolders.data.appendingPathComponent("store")
  }

  var deviceFolder: URL { Self.folder(device, "ATREST_DEVICE") ?? FileDeviceKey.defaultFolder }

  private static func folder(_ option: String?, _ variable: String) -> URL? {
    let path = option ?? ProcessInfo.processInfo.environment[variable]
    guard let path, !path.isEmpty else { return nil }
    return URL(
      fileURLWithPath: NSString(string: path).expandingTildeInPath, isDirectory: true)
  }

  func makeDevice() throws -> FileDeviceKey {
    // A key that travels with the store would bind it to nothing.
    let store = Self.resolved(storeFolder)
    let device = Self.resolved(deviceFolder)
    guard device != store && !device.hasPrefix(store + "/") else {
      throw AtRestError.invalid(
        "The device key's folder \(deviceFolder.path) lies inside the store, so that a copy of "
          + "the store would open anywhere.",
        remedy: "Choose a folder outside (--device, ATREST_DEVICE).")
    }
    return try FileDeviceKey(in: deviceFolder)
  }

  // Links are followed also where the last parts of the path are not made yet.
  private static func resolved(_ folder: URL) -> String {
    var existing = folder.standardizedFileURL
    var missing: [String] = []
    while existing.path != "/" && !FileManager.default.fileExists(atPath: existing.path) {
      missing.insert(existing.lastPathComponent, at: 0)
      existing.deleteLastPathComponent()
    }
    var path = existing.resolvingSymlinksInPath().path
    for part in missing { path += path.hasSuffix("/") ? part : "/" + part }
    return path
  }

  func openKeybag(acceptingOlder: Bool = false) throws -> Keybag {
    // Looked at first, so that a mistyped folder makes no device key.
    guard FileManager.default.fileExists(atPath: storeFolder.path) else {
      throw AtRestError(
        .notFound, "There is no store in \(storeFolder.path).",
        remedy: "Make one (atrest init), or name its folder (--store, ATREST_STORE).")
    }
    return try Keybag.open(
      at: storeFolder, device: makeDevice(), acceptingOlder: acceptingOlder)
  }
}
