import ArgumentParser
import AtRestCrypto
import AtRestKeybag

struct DeviceForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Let the device forget a store that is gone.",
    discussion: """
      For a store whose folder was deleted without a wipe: the device key is still bound to it, which \
      prevents a move of the key out of a TPM and uses a counter there. Asks you to type "forget", or \
      for --yes. The store never opens again, not even from a copy or from a disk that is mounted \
      later. "atrest device status" lists the stores.

      EXAMPLES
        atrest device forget 64be16c1c0e7f5b2a1d09e8f6a3b4c5d
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var confirmation: Confirmation

  @Argument(help: "The identity of the store.")
  var identity: String

  func run() throws {
    guard let gone = StoreIdentity(text: identity) else {
      throw AtRestError.invalid(
        "\(identity) is not the identity of a store.",
        remedy: "Use the 32 hexadecimal digits that atrest device status prints.")
    }
    let folder = store.deviceFolder
    let known = try DeviceRoot.stores(in: folder).first { $0.identity == gone }
    try confirmation.ask(
      "The store \(known?.text ?? gone.text) never opens again, not even from a copy.",
      word: "forget")
    try DeviceRoot.forget(gone, in: folder)
    Output.note("the device has forgotten the store \(gone).")
  }
}
