import ArgumentParser
import AtRestCrypto
import AtRestKeybag
import AtRestKeychain

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the store, and the protections that it lacks.",
    discussion: """
      Never asks for the passcode. The number of items is that of the whole store, with the one in which the agent \
      keeps its grants; lists leave that one out. With --verify, every item is checked; locked items only by \
      place and version, unless --passcode-file unlocks them. Problems end with exit code 6.

      EXAMPLES
        atrest status
        atrest status --json
        atrest status --verify --passcode-file passcode.txt
      """)

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Check every item.")
  var verify = false

  @Option(help: ArgumentHelp("A file with the passcode, for --verify.", valueName: "file"))
  var passcodeFile: String?

  func validate() throws {
    guard passcodeFile == nil || verify else {
      throw ValidationError("--passcode-file requires --verify.")
    }
  }

  func run() throws {
    let keybag = try store.openKeybag()
    if let passcodeFile, keybag.hasPasscode {
      let passcode = try SecretInput.passcode(in: passcodeFile)
      try Interruption.givingAttemptBack { try keybag.unlock(passcode: passcode) }
    }
    let keychain = try Keychain.open(keybag, identity: .owner())
    let report = try StatusReport(
      keychain, store, verification: verify ? keychain.verify() : nil)
    if json { try Output.writeJSON(report) } else { Output.write(report.text) }
    if report.verification?.problems.isEmpty == false {
      throw AtRestError(
        .damaged, "The store does not match what was written.",
        remedy: "Restore the items from a backup, or accept the store as it is with atrest repair.")
    }
  }
}
