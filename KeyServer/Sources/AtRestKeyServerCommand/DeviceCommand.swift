import ArgumentParser
@_spi(Tools) import AtRestCrypto
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
    @Flag(help: "Print a line of JSON for each device.") var json = false

    private struct Line: Encodable {
      let id: String
      let account: String
      let label: String
      let enrolled: Date
      let revoked: Date?
    }

    func run() throws {
      for device in try options.store().devices(of: account) {
        guard !json else {
          try Output.json(
            Line(
              id: device.id.hexadecimal, account: device.account, label: device.label,
              enrolled: device.enrolled, revoked: device.revoked))
          continue
        }
        let state =
          device.revoked.map { "revoked \($0.ISO8601Format())" }
          ?? "enrolled \(device.enrolled.ISO8601Format())"
        Output.row([device.id.hexadecimal, device.account, device.label, state])
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Refuses a device from now on, and destroys its shares.")
    @OptionGroup var options: StoreOptions
    @Argument(help: "The identifier, as listed.") var device: String
    func run() throws {
      guard let id = Data(hexadecimal: device), id.count == Limits.identifier else {
        throw ValidationError("A device is named by 32 hexadecimal digits, as listed.")
      }
      try options.store().revokeDevice(id)
    }
  }
}
