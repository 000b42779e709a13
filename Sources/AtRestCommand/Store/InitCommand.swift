import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a store.",
    discussion: """
      Asks for a passcode, twice, unless it comes from a file or there shall be none.

      EXAMPLES
        atrest init
        atrest init --store ~/work-secrets --passcode-file passcode.txt --attempt-limit 10
        atrest init --no-passcode
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var new: NewPasscodeOptions

  @Option(
    help: ArgumentHelp(
      "A file with the passcode, - for standard input; one final newline is left out.",
      valueName: "file"))
  var passcodeFile: String?

  @Flag(help: "Set no passcode: the device key alone protects the store.")
  var noPasscode = false

  func validate() throws {
    guard passcodeFile == nil || !noPasscode else {
      throw ValidationError("Give --passcode-file or --no-passcode, not both.")
    }
    guard passcodeFile != nil || noPasscode || Terminal.isPresent else {
      throw ValidationError(
        "There is no terminal to ask on: give --passcode-file or --no-passcode.")
    }
  }

  func run() throws {
    let keybag: Keybag
    if noPasscode {
      keybag = try Keybag.create(
        at: store.storeFolder, device: store.makeDevice(), options: new.options)
    } else {
      let passcode =
        try passcodeFile.map { SecretBox(try SecretInput.password(in: $0)) }
        ?? SecretBox(try Terminal.newSecret("passcode"))
      keybag = try Keybag.create(
        at: store.storeFolder, device: store.makeDevice(), passcode: passcode.bytes,
        options: new.options)
    }
    try Keychain.open(keybag, identity: .owner()).close()
    Output.note("made the store in \(store.storeFolder.path).")
    StatusReport.note(risks: keybag.risks + store.location.risks)
  }
}
