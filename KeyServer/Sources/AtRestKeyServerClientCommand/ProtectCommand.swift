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
    let key: SecretBytes
    let salt: Data
    if setPassphrase {
      salt = RandomBytes.data(count: 16)
      key = try client.setPassphrase(passphrase, salt: salt, kdf: kdf)
      try folder.store(salt: salt)
    } else {
      guard let stored = folder.storedSalt else {
        throw AtRestError(
          .passphraseNotSet, "This device has not used the account's passphrase.",
          remedy: "Set the first one with --set-passphrase, or open a file first.")
      }
      salt = stored
      key = try client.harden(passphrase, salt: salt, kdf: kdf)
    }
    let sealed = try HardenedFile.seal(contents, key, kdf: kdf, salt: salt)
    try sealed.write(to: URL(fileURLWithPath: output), options: .atomic)
  }
}
