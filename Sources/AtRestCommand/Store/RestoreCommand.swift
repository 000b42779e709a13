import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

extension RestoreConflict: ExpressibleByArgument {}

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore items, and the keys of protected files, from a backup.",
    discussion: """
      All items are restored, or none; items that are bound to another device are left out and named. \
      Protected files of the former store open from then on, if they were protected under the keys in the \
      backup, and atrest rewrap moves them to the keys of this store. The keys of databases in an item are \
      added to those in the existing item, which are never removed. With --accept-older and without a file, a store whose files \
      were replaced by a copy is accepted as it is, after the passcode and a question that says what \
      is lost. Use it so only if you replaced the files yourself. A copy from before the last change \
      of the passcode cannot be accepted; restore a backup instead.

      EXAMPLES
        atrest restore ~/secrets.backup
        atrest restore secrets.backup --on-conflict keep
        atrest restore --accept-older
      """)

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var confirmation: Confirmation

  @Option(help: "The treatment of items that already exist.")
  var onConflict = RestoreConflict.refuse

  @Flag(help: "Write what was restored and what was left out as JSON.")
  var json = false

  @Flag(help: "Accept a store that is older than the device remembers.")
  var acceptOlder = false

  @Argument(help: "The backup.", completion: .file())
  var file: String?

  func validate() throws {
    guard (file == nil) == acceptOlder else {
      throw ValidationError("Pass a backup, or --accept-older.")
    }
    guard !unlock.readsStandardInput || passphrase.passphraseFile != "-" else {
      throw ValidationError("Standard input can provide the passcode or the passphrase, not both.")
    }
  }

  func run() throws {
    guard let file else { return try acceptStore() }
    let keychain = try unlock.open(directly: true)
    let summary = try restore(SystemPath.url(file), into: keychain)
    if json { return try Output.writeJSON(RestoreResult(summary)) }
    Output.note(
      "\(summary.restored) items restored, \(summary.kept) kept as they were, "
        + "\(summary.leftOut.count) left out.")
    LeftOutLines(summary.leftOut).note()
    for store in summary.formerStores {
      Output.note(
        "files of the store \(store) open with this store now, if they were protected under the keys in "
          + "the backup.")
      Output.plainNote(
        "  A file that was protected after a later \"atrest passcode set\" needs a later backup.")
    }
  }

  private func restore(_ file: URL, into keychain: Keychain) throws -> RestoreSummary {
    let passphrase = try passphrase.read(isNew: false, of: "the backup")
    do {
      return try keychain.restore(from: file, passphrase: passphrase, conflicts: onConflict)
    } catch let error as AtRestError where error.code == .duplicate {
      throw AtRestError(
        error.code, "\(error.message) Nothing was restored.",
        remedy: "Use --on-conflict keep or --on-conflict replace.")
    }
  }

  private func acceptStore() throws {
    let keybag = try unlock.store.openKeybag()
    guard let state = try Keychain.olderState(of: keybag) else {
      Output.note("the store in \(unlock.store.storeFolder.path) is not older; nothing was done.")
      return
    }
    Output.note(Self.description(of: state))
    try confirmation.ask("It will be accepted as it is.", word: "accept")
    _ = try unlock.unlock(keybag)
    let keychain = try Keychain.open(keybag, identity: .owner(), acceptingOlder: true)
    try unlock.store.location.acceptStore(keybag)
    Output.note("the store in \(unlock.store.storeFolder.path) was accepted as it is.")
    keychain.close()
  }

  private static func description(of state: OlderState) -> String {
    var text =
      state.change == 0
      ? "the store has no items"
      : "the store is at change \(state.change), with \(state.itemCount) items"
    if let remembered = state.rememberedChange {
      text += "; the device remembers change \(remembered)"
      let lost = remembered > state.change ? remembered - state.change : 0
      if lost > 0 { text += ", so the last \(lost) changes are lost" }
    } else {
      text += "; the device remembers none"
    }
    if state.doomedCount > 0 {
      text +=
        ". \(state.doomedCount) items are deleted, because their passcode was removed or set again"
    }
    return text + "."
  }
}
