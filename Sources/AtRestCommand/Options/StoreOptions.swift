import ArgumentParser
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

  var location: StoreLocation { StoreLocation(store: store, device: device) }

  var storeFolder: URL { location.store }

  var deviceFolder: URL { location.device }

  func makeDevice() throws -> FileDeviceKey { try location.makeDevice() }

  func openKeybag(acceptingOlder: Bool = false) throws -> Keybag {
    try location.openKeybag(acceptingOlder: acceptingOlder)
  }
}
