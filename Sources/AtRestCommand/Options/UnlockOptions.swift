import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

/// Opens the store's keychain, and unlocks it for this command.
struct UnlockOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      "A file with the passcode, - for standard input; one final newline is left out.",
      valueName: "file"))
  var passcodeFile: String?

  @Flag(help: "Do not unlock: what needs an unlock is refused (exit code 4).")
  var noUnlock = false

  func validate() throws {
    guard passcodeFile == nil || !noUnlock else {
      throw ValidationError("Give --passcode-file or --no-unlock, not both.")
    }
  }

  /// Whether the passcode comes from standard input, so that nothing else can.
  var readsStandardInput: Bool { passcodeFile == "-" }

  func open() throws -> Keychain {
    let keybag = try store.openKeybag()
    let passcode = try unlock(keybag)
    return try Keychain.open(
      keybag, identity: .owner(), authenticator: TerminalUser(passcode: passcode))
  }

  /// Unlocks where there is a passcode, and gives it back for what asks for it again.
  func unlock(_ keybag: Keybag) throws -> SecretBox? {
    guard keybag.hasPasscode, !noUnlock else { return nil }
    let passcode = SecretBox(try readPasscode())
    try Interruption.givingAttemptBack { try keybag.unlock(passcode: passcode.bytes) }
    return passcode
  }

  /// The present passcode, from its file or the terminal.
  func readPasscode() throws -> SecretBytes {
    if let passcodeFile { return try SecretInput.password(in: passcodeFile) }
    guard Terminal.isPresent else {
      throw AtRestError(
        .locked, "The store is locked, and there is no terminal to ask for the passcode on.",
        remedy: "Give it with --passcode-file.")
    }
    return try Terminal.secret("Passcode")
  }
}
