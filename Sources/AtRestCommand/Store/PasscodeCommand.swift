import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct PasscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passcode",
    abstract: "Set, change or remove the passcode.",
    discussion: """
      Changing or removing the passcode touches no item, so the time does not depend on their \
      number. Setting a passcode seals every item under new keys, so it takes longer with many. \
      Older copies of the store are useless afterwards. A passcode has at least \
      \(Keybag.shortestPasscode) characters, unless --weak-passcode is given.
      """,
    subcommands: [SetPasscode.self, ChangePasscode.self, RemovePasscode.self])
}

struct SetPasscode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a passcode on a store that has none.",
    discussion: """
      Programs that use the store without a passcode, such as those that import Security, are refused \
      from then on until the store is unlocked: run atrest-agent, or unlock the store in the program. \
      A first passcode makes new class keys, so a backup from before it does not open the files that are \
      protected after it: make a new backup. Notes say so.
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var new: NewPasscodeOptions

  @Option(help: ArgumentHelp("A file with the passcode, - for standard input.", valueName: "file"))
  var passcodeFile: String?

  func run() throws {
    let keybag = try store.openKeybag()
    guard !keybag.hasPasscode else {
      throw AtRestError(
        .duplicate, "The store in \(store.storeFolder.path) already has a passcode.",
        remedy: "Change it with atrest passcode change.")
    }
    let passcode =
      try passcodeFile.map { SecretBox(try SecretInput.passcode(in: $0)) }
      ?? SecretBox(try Terminal.newSecret("passcode"))
    try keybag.setPasscode(passcode.bytes, options: new.options)
    Output.note("the passcode was set.")
    StatusReport.note(risks: keybag.risks.filter { $0.id == "weak-passcode" })
    Output.plainNote(
      "  Programs that use this store are refused until it is unlocked for them. Run atrest-agent, or\n"
        + "  unlock the store in the program.")
    Output.plainNote(
      "  Earlier backups do not open files that are protected from now on. Make a new backup.")
    do {
      // Opening seals the items under the new class keys.
      try Keychain.open(keybag, identity: .owner()).close()
    } catch let error as AtRestError {
      Output.note("the next unlock will seal the items under the new keys: \(error.message)")
    }
  }
}

struct ChangePasscode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change", abstract: "Replace the passcode with another one.")

  @OptionGroup var unlock: UnlockOptions
  @OptionGroup var weakness: WeakPasscodeOptions

  @Option(help: ArgumentHelp("A file with the new passcode.", valueName: "file"))
  var newPasscodeFile: String?

  func validate() throws {
    guard !unlock.readsStandardInput || newPasscodeFile != "-" else {
      throw ValidationError("Standard input can provide only one passcode.")
    }
  }

  func run() throws {
    let keybag = try unlock.store.openKeybag()
    guard keybag.hasPasscode else { throw PasscodeCommand.noneSet }
    let old = try unlock.readPasscode(of: keybag)
    let new =
      try newPasscodeFile.map { SecretBox(try SecretInput.passcode(in: $0)) }
      ?? SecretBox(try Terminal.newSecret("passcode"))
    try Interruption.givingAttemptBack {
      try keybag.changePasscode(
        from: old, to: new.bytes, allowsWeakPasscode: weakness.weakPasscode)
      Output.note("the passcode was changed.")
    }
    StatusReport.note(
      risks: keybag.risks.filter { $0.id.hasPrefix("former-") || $0.id == "weak-passcode" })
  }
}

extension PasscodeCommand {
  static var noneSet: AtRestError {
    AtRestError(
      .passcodeNotSet, "The store has no passcode.", remedy: "Set one with atrest passcode set.")
  }
}
