import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import Foundation

struct DeviceRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Destroy the device key, and free its counters in the TPM.",
    discussion: """
      Asks you to type "remove", or for --yes. The stores of the device never open again: wipe them \
      first, so that their files go too.

      EXAMPLES
        atrest wipe && atrest device remove
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var confirmation: Confirmation

  func run() throws {
    let folder = store.deviceFolder
    guard try isPresent(folder) else {
      throw AtRestError(
        .notFound, "There is no device key in \(folder.path).",
        remedy: "Name its folder (--device, ATREST_DEVICE).")
    }
    let stores = try DeviceRoot.stores(in: folder)
    let names = stores.map(\.text).joined(separator: "; ")
    let consequence =
      switch stores.count {
      case 0: "No store needs it."
      case 1: "1 store never opens again (\(names))."
      default: "\(stores.count) stores never open again (\(names))."
      }
    try confirmation.ask(
      "The device key in \(folder.path) will be destroyed. \(consequence)", word: "remove")
    try DeviceRoot.remove(in: folder)
    Output.note("the device key in \(folder.path) was destroyed.")
  }

  /// True also for the records of a device whose key is missing.
  private func isPresent(_ folder: URL) throws -> Bool {
    do {
      return try DeviceRoot.present(in: folder) != nil
    } catch AtRestError.Code.deviceMissing {
      return true
    }
  }
}
