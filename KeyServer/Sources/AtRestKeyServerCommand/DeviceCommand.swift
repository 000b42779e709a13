import ArgumentParser
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation

/// `atrest-keyserver device`.
struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Manages devices.", subcommands: [List.self, Revoke.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the devices.")
    @OptionGroup var options: StoreOptions
    @Option(help: "Only those of one account.") var account: String?
    func run() throws {
      for device in try options.store().devices(of: account) {
        let state = device.revoked.map { "revoked \($0)" } ?? "enrolled \(device.enrolled)"
        print("\(device.id.hexadecimal)\t\(device.account)\t\(device.label)\t\(state)")
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Refuses a device from now on, and destroys its shares.")
    @OptionGroup var options: StoreOptions
    @Argument(help: "The identifier, as listed.") var device: String
    func run() throws {
      guard let id = Data(hexadecimal: device) else {
        throw ValidationError("A device is named by hexadecimal digits.")
      }
      try options.store().revokeDevice(id)
    }
  }
}
