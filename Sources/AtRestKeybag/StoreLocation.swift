import AtRestCrypto
import Foundation

/// The folders of a store and of its device key: given explicitly, by environment variables, or by
/// the platform.
///
/// | folder | variable | on Linux | on Apple's systems |
/// | --- | --- | --- | --- |
/// | the store | `ATREST_STORE` | `~/.local/share/atrest/store` | `atrest/store` in Application Support |
/// | the device key | `ATREST_DEVICE` | `~/.local/state/atrest/device` | `atrest/device` there |
///
/// `XDG_DATA_HOME` and `XDG_STATE_HOME` replace `~/.local/share` and `~/.local/state`. The home
/// folder is `HOME` if that is an absolute path.
public struct StoreLocation: Hashable, Sendable {
  /// The store's folder.
  public let store: URL
  /// The folder of the device key, which is outside the store.
  public let device: URL

  /// Creates a location. If an argument is nil, the environment variable applies. If the argument
  /// or the variable is empty, or the variable is not set, the platform's folder applies.
  public init(store: String? = nil, device: String? = nil) {
    self.store =
      Self.folder(store, "ATREST_STORE") ?? PlatformFolders().data.appendingPathComponent("store")
    self.device = Self.folder(device, "ATREST_DEVICE") ?? FileDeviceKey.defaultFolder
  }

  private static func folder(_ given: String?, _ variable: String) -> URL? {
    let path = given ?? SystemPath.environment(variable)
    guard let path, !path.isEmpty else { return nil }
    return PlatformFolders().expandingTilde(path)
  }

  /// True if the store's folder exists.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` or ``AtRestError/Code/system`` if this cannot be
  ///   determined, for example inside a folder that the user may not enter.
  public var exists: Bool {
    get throws { try OpenFolder.ifPresent(store.path, followingLinks: true) != nil }
  }

  /// Opens the device key, whatever its kind. Nothing is created.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the folder of the device key is inside the
  ///   store; otherwise the errors of ``DeviceRoot/open(in:)``.
  public func openDevice() throws -> any DeviceKeyProvider {
    try checkIsOutside()
    return try DeviceRoot.open(in: device)
  }

  /// Opens the device key for a new store, whatever its kind, and creates it if the folder has nothing
  /// of a device.
  ///
  /// - Parameter root: The kind of a new key. nil stands for `DeviceRoot.preferred`.
  /// - Throws: ``AtRestError/Code/deviceMissing`` if there is no device key, but a store that needs one;
  ///   ``AtRestError/Code/invalidArgument`` if the folder of the device key is inside the store;
  ///   otherwise the errors of ``DeviceRoot/openOrCreate(in:as:)``.
  public func makeDevice(_ root: DeviceRoot? = nil) throws -> any DeviceKeyProvider {
    try checkNewDevice()
    return try DeviceRoot.openOrCreate(in: device, as: root)
  }

  /// Throws an error if no device key may be created: it would be in the store, or the store in the folder
  /// needs one that is missing.
  package func checkNewDevice() throws {
    try checkIsOutside()
    // In this order: another process that creates both creates the device key first.
    if try FolderStorage(store).contains(KeybagFile.fileName),
      try DeviceRoot.present(in: device) == nil
    {
      throw DeviceRoot.missing(in: device)
    }
  }

  private func checkIsOutside() throws {
    // A device key that is copied along with the store would not bind the store to the device.
    let inner = RealPath.of(device)
    let outer = RealPath.of(store)
    guard !SystemPath.isPath(inner, in: outer) else {
      throw AtRestError.invalid(
        "The device key's folder \(device.path) is inside the store: a copy of "
          + "the store would open anywhere.",
        remedy: "Choose a folder outside (--device, ATREST_DEVICE).")
    }
  }

  /// Opens the store's keybag.
  ///
  /// - Parameter expecting: The identity of the expected store. nil accepts any store.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no store;
  ///   ``AtRestError/Code/storeMissing`` if there is none although the device remembers one in this
  ///   folder; ``AtRestError/Code/deviceMissing`` if there is a store, but not its device key; otherwise
  ///   the errors of ``openDevice()`` and `Keybag.open`.
  public func openKeybag(expecting: StoreIdentity? = nil) throws -> Keybag {
    guard try exists else { throw try refusalOfEmptyFolder() }
    let keybag: Keybag
    do {
      keybag = try Keybag.open(at: store, device: openDevice(), expecting: expecting)
    } catch AtRestError.Code.notFound {
      throw try refusalOfEmptyFolder()
    } catch let error as AtRestError where error.code == .deviceMissing {
      guard try hasStore else { throw try refusalOfEmptyFolder() }
      // Another process may have created both since the device key was looked for.
      guard try DeviceRoot.present(in: device) != nil else { throw error }
      keybag = try Keybag.open(at: store, device: openDevice(), expecting: expecting)
    }
    RememberedStore.follow(keybag.store, to: store, on: keybag.device)
    return keybag
  }

  /// Opens the keybag of a store that is to be wiped, regardless of the owners, names and
  /// permissions of its files.
  ///
  /// - Throws: The errors of ``openKeybag(expecting:)``.
  package func openKeybagToWipe(expecting: StoreIdentity?) throws -> Keybag {
    try Keybag.open(
      in: FolderStorage(store, acceptsAnyFile: true), device: openDevice(), expecting: expecting)
  }

  /// True if the store's folder has files of a store.
  var hasStore: Bool {
    get throws {
      let storage = FolderStorage(store)
      return try storage.contains(KeybagFile.fileName) || storage.contains(Keybag.databaseName)
    }
  }
}
