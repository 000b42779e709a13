import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Write all items, and the keys of protected files, to an encrypted file.",
    discussion: """
      Another device can restore the items that are not bound to this one; this device can restore \
      those too. Items for when a passcode is set are never in a backup. Protected files are not in \
      it either: back them up as they are. They open with the store into which the backup is \
      restored. Anyone who has the file can guess its passphrase for years, so a weak one is refused.

      EXAMPLES
        atrest backup ~/secrets.backup
        atrest backup secrets.backup --passcode-file p.txt --passphrase-file q.txt
      """)

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var weakness: WeakPassphraseOptions

  @Flag(help: "Write what the backup has and what it leaves out as JSON.")
  var json = false

  @Argument(help: "The file to write; an existing backup is replaced.", completion: .file())
  var file: String

  func validate() throws {
    guard !unlock.readsStandardInput || passphrase.passphraseFile != "-" else {
      throw ValidationError("Standard input can provide the passcode or the passphrase, not both.")
    }
  }

  func run() throws {
    try BackupPlace.check(file)
    let keychain = try unlock.open(directly: true)
    let secret = try passphrase.read(isNew: true, of: "the backup")
    try weakness.check(secret, .highlySensitive)
    let summary = try keychain.backup(
      to: SystemPath.url(file), passphrase: secret, weakPassphrases: weakness.weakPassphrases)
    if json { return try Output.writeJSON(BackupResult(summary, file: file)) }
    Output.note(
      "\(summary.migratable + summary.thisDeviceOnly) items in \(file), "
        + "\(summary.thisDeviceOnly) of them for this device only; \(summary.leftOut.count) left out."
    )
    LeftOutLines(summary.leftOut).note()
  }
}
