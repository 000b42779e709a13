import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

struct DeviceMoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: "Move the device key into the TPM, or out of it into a file.",
    discussion: """
      Writes a backup of the store first. After a crash, the key is in one place or in the other. \
      The device key stays the same, so whoever has a copy of its former file still has it: if \
      anyone may, create a new store in the TPM and restore the backup there.

      EXAMPLES
        atrest device move tpm --backup ~/before.backup
        atrest device move file --backup ~/before.backup
      """)

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var pcr: PCROptions
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var weakness: WeakPassphraseOptions

  @Argument(help: "The new place.")
  var place: DeviceRoot

  @Option(
    help: ArgumentHelp("The backup to write; an existing backup is replaced.", valueName: "file"))
  var backup: String?

  @Flag(help: "Write no backup.")
  var noBackup = false

  func validate() throws {
    guard (backup == nil) == noBackup else {
      throw ValidationError(
        "Use --backup FILE: without one, a failure of the TPM loses every item. --no-backup goes on "
          + "without.")
    }
    guard place == .tpm || pcr.pcrs.isEmpty else { throw ValidationError("--pcr requires tpm.") }
    guard !unlock.noUnlock else { throw ValidationError("Moving needs the passcode.") }
    guard !unlock.readsStandardInput || passphrase.passphraseFile != "-" else {
      throw ValidationError("Standard input can provide the passcode or the passphrase, not both.")
    }
  }

  func run() throws {
    if let backup { try BackupPlace.check(backup) }
    let folder = unlock.store.deviceFolder
    guard try DeviceRoot.present(in: folder) != place else {
      throw AtRestError(
        .duplicate, "The device key is \(place == .tpm ? "in the TPM" : "in a file") already.",
        remedy: "Nothing needs to be done.")
    }
    let passcode = try prepare()
    switch place {
    case .tpm:
      let recovery = try pcr.recoveryKeyFile.map { try RecoveryKeyFile(creating: $0) }
      var failure: (any Error)?
      do {
        let creation = try TPMDeviceKey.moveIntoTPM(in: folder, pcrs: pcr.pcrs)
        if let key = creation.recoveryKey() { try recovery?.write(key) }
      } catch {
        guard try DeviceRoot.present(in: folder) == .tpm else {
          recovery?.remove()
          throw error
        }
        // The key is in the TPM, and so the passcode must be bound to it.
        failure = error
      }
      if let passcode {
        try Interruption.givingAttemptBack {
          try unlock.store.openKeybag().bindPasscode(passcode.bytes)
        }
      }
      if let failure { throw failure }
      Output.note("the device key is in the TPM.")
    case .file:
      try TPMDeviceKey.moveIntoFile(in: folder)
      Output.note("the device key is in a file in \(folder.path).")
    }
    StatusReport.note(risks: try unlock.store.openKeybag().risks)
  }

  /// Writes the backup, and releases the passcode before the key leaves the TPM. Nothing holds the
  /// device key afterwards. Returns the passcode.
  private func prepare() throws -> SecretBox? {
    let keybag = try unlock.store.openKeybag()
    let passcode = try unlock.unlock(keybag)
    if place == .file { try checkOtherStores(than: keybag) }
    if let backup {
      let keychain = try Keychain.open(
        keybag, identity: .owner(), authenticator: TerminalUser(passcode: passcode))
      let secret = try passphrase.read(isNew: true, of: "the backup")
      try weakness.check(secret, .highlySensitive)
      let summary = try keychain.backup(
        to: SystemPath.url(backup), passphrase: secret,
        weakPassphrases: weakness.weakPassphrases)
      Output.note("\(summary.migratable + summary.thisDeviceOnly) items in \(backup).")
      keychain.close()
    }
    if place == .file, let passcode { try keybag.releasePasscode(passcode.bytes) }
    keybag.close()
    return passcode
  }

  private func checkOtherStores(than keybag: Keybag) throws {
    let others = try DeviceRoot.stores(in: unlock.store.deviceFolder)
      .filter { $0.identity != keybag.identity }
    guard !others.isEmpty else { return }
    let count = others.count == 1 ? "another store" : "\(others.count) other stores"
    var remedy = "Back up each store that is there, wipe it, and restore it afterwards."
    if let gone = others.first(where: { !$0.isThere }) {
      remedy +=
        " If a store is gone for good, and not only on a disk that is not mounted, let the device forget "
        + "it: atrest device forget \(gone.identity)."
    }
    throw AtRestError(
      .notPermitted,
      "The device key also belongs to \(count), whose passcode may need the TPM: "
        + others.map(\.text).joined(separator: "; ") + ".", remedy: remedy)
  }
}
