import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a store.",
    discussion: """
      Asks for a passcode, twice, unless it is read from a file or --no-passcode is given.

      EXAMPLES
        atrest init
        atrest init --store ~/work-secrets --passcode-file passcode.txt --attempt-limit 10
        atrest init --no-passcode
      """)

  @OptionGroup var store: StoreOptions
  @OptionGroup var new: NewPasscodeOptions

  @Option(
    help: ArgumentHelp(
      "A file with the passcode, - for standard input; one final newline is removed.",
      valueName: "file"))
  var passcodeFile: String?

  @Flag(help: "Set no passcode: only the device key protects the store.")
  var noPasscode = false

  func validate() throws {
    guard passcodeFile == nil || !noPasscode else {
      throw ValidationError("Use either --passcode-file or --no-passcode, not both.")
    }
    guard passcodeFile != nil || noPasscode || Terminal.isPresent else {
      throw ValidationError(
        "There is no terminal for the passcode; use --passcode-file or --no-passcode.")
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
    Output.note("created the store in \(store.storeFolder.path).")
    StatusReport.note(risks: keybag.risks + store.location.risks)
  }
}
