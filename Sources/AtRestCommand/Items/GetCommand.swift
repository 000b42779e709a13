import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Write an item's secret to standard output.",
    discussion: """
      The secret alone is written, with a newline only if standard output is a terminal. \
      --tag writes an extractable private key as PEM. For a key in hardware, it writes the form \
      that only this hardware can use: for a TPM's key, PEM for openssl with the provider tpm2.

      EXAMPLES
        atrest get --service mail --account eva
        atrest get --service api --account ci --passcode-file passcode.txt | deploy
        atrest get --tag machine > machine.pem
      """)

  @OptionGroup(title: "Item") var item: ItemOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: "The tag of a private key that is extractable or in hardware.")
  var tag: String?

  func validate() throws {
    if tag != nil {
      guard item.isEmpty else { throw ValidationError("Use either --tag or a password, not both.") }
    } else {
      _ = try item.key()
    }
    guard !unlock.readsStandardInput || !application.readsStandardInput else {
      throw ValidationError("Standard input can provide only one secret.")
    }
  }

  func run() throws {
    let context = try application.context("Get")
    if let tag {
      let keychain = try unlock.open()
      do {
        return try writeKey(tag, in: keychain, context)
      } catch let error as AtRestError where error.code == .locked && keychain.usesAgent {
        // The agent gives out no keys of the device's hardware.
        return try writeKey(tag, in: unlock.open(directly: true), context)
      }
    }
    if let secret = try secretWithoutUnlock() {
      Output.write(secret.bytes)
    } else {
      let keychain = try unlock.open()
      Output.write(try keychain.secret(for: item.key(in: keychain), context: context))
    }
    if Output.isTerminal(STDOUT_FILENO) { Output.write("\n") }
  }

  private func writeKey(
    _ tag: String, in keychain: Keychain, _ context: AuthenticationContext
  ) throws {
    if let key = try keychain.hardwareKey(tag: tag, group: item.group, context: context) {
      return Output.write(key.representation)
    }
    let key = try keychain.exportKey(tag: tag, group: item.group, context: context)
    Output.write(key.pemRepresentation)
  }

  /// Returns the secret if it can be read without the passcode and without a question, or nil.
  private func secretWithoutUnlock() throws -> SecretBox? {
    guard unlock.passcodeFile == nil, !unlock.noUnlock, application.applicationPasswordFile == nil
    else { return nil }
    let keybag = try unlock.store.openKeybag()
    guard keybag.hasPasscode, try !unlock.usesAgent(for: keybag) else { return nil }
    let keychain = try Keychain.open(keybag, identity: .owner())
    defer { keychain.close() }
    let context = AuthenticationContext(reason: "Get", interaction: .forbidden)
    do {
      return SecretBox(try keychain.secret(for: item.key(in: keychain), context: context))
    } catch is AtRestError {
      return nil
    }
  }
}
