import ArgumentParser
import AtRestKeychain

struct PublicKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "public-key",
    abstract: "Print the public key of a key pair, as PEM.")

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The key pair's tag.")
  var tag: String

  @Option(help: "The access group.")
  var group: String?

  func run() throws {
    Output.write(try unlock.open().publicKey(tag: tag, group: group).pemRepresentation)
  }
}
