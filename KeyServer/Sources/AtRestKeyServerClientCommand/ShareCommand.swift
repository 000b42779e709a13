import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import Foundation

/// `atrest-keyserver-client share`.
struct ShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Prints a share of this device in hexadecimal, for another program to use.")

  @OptionGroup var folder: DeviceFolder
  @Argument(help: "The name of the share.") var name: String
  @Flag(help: "Make the share if it does not exist.") var create = false

  func run() throws {
    let share = try folder.client().share(name, creating: create)
    print(Data(copying: share).hexadecimal)
  }
}
