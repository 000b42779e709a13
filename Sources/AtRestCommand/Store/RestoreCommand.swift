import ArgumentParser
import AtRestKeybag
import AtRestKeychain
import Foundation

extension RestoreConflict: ExpressibleByArgument {}

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Bring items back from a backup.",
    discussion: """
      All items are restored or none. With --accept-older and no file, a store whose files were \
      put back from a copy is accepted as it is; do this only if you put them there.

      EXAMPLES
        atrest restore ~/secrets.backup
        atrest restore secrets.backup --on-conflict keep
        atrest restore --accept-older
      """)

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var passphrase: PassphraseOptions

  @Option(help: "What happens to an item that is there already.")
  var onConflict = RestoreConflict.refuse

  @Flag(help: "Accept a store that is older than the device remembers.")
  var acceptOlder = false

  @Argument(help: "The backup.", completion: .file())
  var file: String?

  func validate() throws {
    guard (file == nil) == acceptOlder else {
      throw ValidationError("Give a backup, or --accept-older.")
    }
    guard !unlock.readsStandardInput || passphrase.passphraseFile != "-" else {
      throw ValidationError("Standard input can give the passcode or the passphrase, not both.")
    }
  }

  func run() throws {
    guard let file else { return try acceptStore() }
    let keychain = try unlock.open()
    let summary = try keychain.restore(
      from: URL(fileURLWithPath: file), passphrase: passphrase.read(isNew: false, of: "the backup"),
      conflicts: onConflict)
    Output.note(
      "\(summary.restored) items restored, \(summary.kept) kept as they were, "
        + "\(summary.leftOut) of another device left out.")
  }

  private func acceptStore() throws {
    let keybag = try unlock.store.openKeybag(acceptingOlder: true)
    let keychain = try Keychain.open(keybag, identity: .owner(), acceptingOlder: true)
    Output.note("the store in \(unlock.store.storeFolder.path) is accepted as it is.")
    keychain.close()
  }
}
