import ArgumentParser
import AtRestCrypto
import AtRestKeyServerClient
import Foundation

/// `atrest-keyserver-client protect`.
struct ProtectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "protect",
    abstract: "Seals a file of less than 1 MiB under the account's passphrase.")

  @OptionGroup var folder: DeviceFolder
  @Argument(help: "The file to seal, or - for standard input.") var input: String
  @Argument(help: "The file to write.") var output: String
  @Flag(help: "Set the account's first passphrase.") var setPassphrase = false
  @Option(help: "The file with the passphrase, or -. Default: asks for it.")
  var passphraseFile: String?

  func run() throws {
    let client = try folder.client()
    let contents = try SecretFile.contents(of: input)
    let passphrase = try SecretFile.line(in: passphraseFile, prompt: "Passphrase: ")
    let kdf = PasswordKDF.scrypt()
    let key =
      try setPassphrase
      ? client.setPassphrase(passphrase, kdf: kdf) : client.harden(passphrase, kdf: kdf)
    folder.update(client)
    let sealed = try HardenedFile.seal(contents, key, kdf: kdf)
    try sealed.write(to: URL(fileURLWithPath: output), options: .atomic)
  }
}
