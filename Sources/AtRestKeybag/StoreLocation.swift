import AtRestCrypto
import Foundation

/// Where a store and its device key are: as given, as the environment says, or the platform's
/// folders.
///
/// | what | variable | on Linux | on Apple's systems |
/// | --- | --- | --- | --- |
/// | the store | `ATREST_STORE` | `~/.local/share/atrest/store` | `atrest/store` in Application Support |
/// | the device key | `ATREST_DEVICE` | `~/.local/state/atrest/device` | `atrest/device` there |
///
/// `XDG_DATA_HOME` and `XDG_STATE_HOME` replace the first two folders of the home folder, which is
/// `HOME` where that is an absolute path.
public struct StoreLocation: Hashable, Sendable {
  /// The store's folder.
  public let store: URL
  /// The device key's folder, outside of the store.
  public let device: URL

  /// A location; what is nil or empty comes from the environment, or is the platform's.
  public init(store: String? = nil, device: String? = nil) {
    self.store =
      Self.folder(store, "ATREST_STORE") ?? PlatformFolders().data.appendingPathComponent("store")
    self.device = Self.folder(device, "ATREST_DEVICE") ?? FileDeviceKey.defaultFolder
  }

  private static func folder(_ given: String?, _ variable: String) -> URL? {
    let path = given ?? ProcessInfo.processInfo.environment[variable]
    guard let path, !path.isEmpty else { return nil }
    return PlatformFolders().expandingTilde(path)
  }

  /// True if the store's folder is there.
  ///
  /// - Throws: ``AtRestError/Code/system`` if that cannot be told, as in a folder that may not be
  ///   entered.
  public var exists: Bool {
    get throws { try OpenFolder.ifPresent(store.path, followingLinks: true) != nil }
  }

  /// The device key, made if there is none.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if its folder is inside the store;
  ///   otherwise as ``FileDeviceKey/init(in:)``.
  public func makeDevice() throws -> FileDeviceKey {
    // A key that travels with the store would bind it to nothing.
    let inner = RealPath.of(device)
    let outer = RealPath.of(store)
    guard inner != outer && !inner.hasPrefix(outer == "/" ? outer : outer + "/") else {
      throw AtRestError.invalid(
        "The device key's folder \(device.path) is inside the store, so that a copy of "
          + "the store would open anywhere.",
        remedy: "Choose a folder outside (--device, ATREST_DEVICE).")
    }
    return try FileDeviceKey(in: device)
  }

  /// Opens the store's keybag.
  ///
  /// - Parameter expecting: The identity of the store that belongs there; nil accepts any.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no store, and
  ///   ``AtRestError/Code/storeMissing`` if the device remembers one there; otherwise as
  ///   `makeDevice()` and `Keybag.open`.
  public func openKeybag(expecting: StoreIdentity? = nil) throws -> Keybag {
    guard try exists else { throw try refusalOfEmptyFolder() }
    do {
      return try Keybag.open(at: store, device: makeDevice(), expecting: expecting)
    } catch AtRestError.Code.notFound {
      throw try refusalOfEmptyFolder()
    }
  }

  /// Opens the keybag of a store that is to be wiped, whoever its files belong to, and whatever names and
  /// permissions they have.
  ///
  /// - Throws: As ``openKeybag(expecting:)``.
  package func openKeybagToWipe(expecting: StoreIdentity?) throws -> Keybag {
    try Keybag.open(
      in: FolderStorage(store, acceptsAnyFile: true), device: makeDevice(), expecting: expecting)
  }
}
