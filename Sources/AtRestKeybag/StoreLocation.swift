import AtRestCrypto
import Foundation

/// Where a store and its device key are: as given, as the environment says, or the platform's
/// folders.
///
/// `ATREST_STORE` names the store's folder, `ATREST_DEVICE` the device key's.
public struct StoreLocation: Hashable, Sendable {
  /// The store's folder.
  public let store: URL
  /// The device key's folder, outside of the store.
  public let device: URL

  /// A location; what is nil or empty comes from the environment, or is the platform's.
  public init(store: String? = nil, device: String? = nil) {
    self.store =
      Self.folder(store, "ATREST_STORE") ?? PlatformFolders.data.appendingPathComponent("store")
    self.device = Self.folder(device, "ATREST_DEVICE") ?? FileDeviceKey.defaultFolder
  }

  private static func folder(_ given: String?, _ variable: String) -> URL? {
    let path = given ?? ProcessInfo.processInfo.environment[variable]
    guard let path, !path.isEmpty else { return nil }
    return URL(
      fileURLWithPath: NSString(string: path).expandingTildeInPath, isDirectory: true)
  }

  /// Whether anything is in the store's folder yet.
  public var exists: Bool { FileManager.default.fileExists(atPath: store.path) }

  /// The device key, made where there is none.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where its folder lies inside the store;
  ///   otherwise as ``FileDeviceKey/init(in:)``.
  public func makeDevice() throws -> FileDeviceKey {
    // A key that travels with the store would bind it to nothing.
    let inner = Self.resolved(device)
    let outer = Self.resolved(store)
    guard inner != outer && !inner.hasPrefix(outer + "/") else {
      throw AtRestError.invalid(
        "The device key's folder \(device.path) lies inside the store, so that a copy of "
          + "the store would open anywhere.",
        remedy: "Choose a folder outside (--device, ATREST_DEVICE).")
    }
    return try FileDeviceKey(in: device)
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

  /// Opens the store's keybag.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` where there is no store; otherwise as `makeDevice()` and
  ///   `Keybag.open`.
  public func openKeybag(acceptingOlder: Bool = false) throws -> Keybag {
    // Looked at first, so that a mistyped folder makes no device key.
    guard exists else {
      throw AtRestError(
        .notFound, "There is no store in \(store.path).",
        remedy: "Make one (atrest init), or name its folder (--store, ATREST_STORE).")
    }
    return try Keybag.open(at: store, device: makeDevice(), acceptingOlder: acceptingOlder)
  }
}
