import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// The command `atrest`.
@main struct AtRestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrest",
    abstract: "Keeps secrets at rest, under the rules of the iOS keychain.",
    discussion: """
      Secrets are entered on the terminal, piped in, or read from a file; they are never given as \
      an argument. Results go to standard output, everything else to standard error.

      EXAMPLES
        atrest init
        atrest add --service mail --account eva --label "Eva's mail"
        atrest get --service mail --account eva | mail-client
        atrest list --json
        atrest keygen --tag release && atrest sign --tag release notes.txt
        atrest protect report.pdf && atrest unprotect -o - report.pdf.protected | viewer
        atrest backup ~/secrets.backup

      STORE
        The store is a folder: --store, ATREST_STORE, or the platform's data folder. The device key \
      is in another folder: --device, ATREST_DEVICE, or the default. --expect-store ID or \
      ATREST_EXPECT_STORE refuses any other store.

      EXIT CODES
        0 done, 1 failure, 2 usage (also a question without a terminal, and a weak passcode or \
      passphrase), 3 not found, 4 locked, 5 not permitted, 6 damaged. run ends as its program does, \
      with 127 if there is none, and 126 if it cannot be run. A message that cannot be written \
      changes none of them; a result that cannot be written turns 0 into 1.

      LOG
        ATREST_LOG shows the store's log messages on standard error: notice, info or debug. Warnings \
      are always shown.

      COMPLETIONS AND MANUAL
        atrest --generate-completion-script bash|zsh|fish; man atrest.
      """,
    version: AtRestVersion.current,
    groupedSubcommands: [
      CommandGroup(
        name: "Store",
        subcommands: [
          InitCommand.self, StatusCommand.self, PasscodeCommand.self, BackupCommand.self,
          RestoreCommand.self, RepairCommand.self, DeviceCommand.self, WipeCommand.self,
        ]),
      CommandGroup(
        name: "Item",
        subcommands: [
          AddCommand.self, GetCommand.self, ListCommand.self, SearchCommand.self,
          UpdateCommand.self, DeleteCommand.self, GenerateCommand.self,
        ]),
      CommandGroup(
        name: "File",
        subcommands: [
          ProtectCommand.self, UnprotectCommand.self, InspectCommand.self, RewrapCommand.self,
        ]),
      CommandGroup(
        name: "Agent",
        subcommands: [
          UnlockCommand.self, LockCommand.self, AgentCommand.self, GrantCommand.self,
          LogCommand.self,
        ]),
      CommandGroup(
        name: "Other programs",
        subcommands: [RunCommand.self, CredentialCommand.self, ImportCommand.self]),
      CommandGroup(name: "Database", subcommands: [DatabaseCommand.self]),
      CommandGroup(
        name: "Key pair",
        subcommands: [
          KeygenCommand.self, PublicKeyCommand.self, SignCommand.self, VerifyCommand.self,
        ]),
      CommandGroup(name: "Integrity", subcommands: [StampCommand.self, CheckCommand.self]),
      CommandGroup(
        name: "Source", subcommands: [AuditCommand.self, ObfuscateCommand.self]),
    ])

  static func main() {
    StandardStream.prepare()
    CommandLog.bootstrap()
    // Files are processed in groups. All files of a group and their folders are open at the same
    // time.
    atrest_allow_open_files(4_096)
    Keybag.isInterrupted.withLock { $0 = { Interruption.isPending } }
    var status = ExitStatus.done.rawValue
    do {
      let arguments = CredentialCommand.arguments(of: SystemPath.arguments)
      if arguments.first == "help", let mistake = UsageMistake(in: arguments) {
        throw ValidationError(mistake.message)
      }
      var command = try parseAsRoot(arguments)
      // The agent has recognised this program by now (`UnlockOptions`), and nothing secret was read.
      if atrest_forbid_core_dumps() != 0 {
        Output.note("Core dumps could not be disabled: a crash may write secrets to disk.")
      }
      try command.run()
    } catch {
      status = report(error)
    }
    Foundation.exit(Output.status(status))
  }

  /// Prints the error, and returns its exit code.
  private static func report(_ error: any Error) -> Int32 {
    if let error = error as? AtRestError {
      Output.failure(error)
      return ExitStatus(error).rawValue
    }
    switch exitCode(for: error) {
    case .success:
      // Help, the version, or a completion script.
      Output.write(fullMessage(for: error) + "\n")
      return ExitStatus.done.rawValue
    case .validationFailure:
      let mistake = UsageMistake(
        in: CredentialCommand.arguments(of: SystemPath.arguments).map { Output.printable($0) })
      Output.plainNote(mistake?.text ?? fullMessage(for: ofPrintableArguments(error)))
      return ExitStatus.usage.rawValue
    case let other:
      let message = fullMessage(for: error)
      if !message.isEmpty { Output.plainNote(message) }
      return other.rawValue
    }
  }

  /// Returns the same error with control characters in its quoted arguments escaped, including line
  /// breaks. An argument therefore cannot add lines to a message.
  private static func ofPrintableArguments(_ error: any Error) -> any Error {
    let given = CredentialCommand.arguments(of: SystemPath.arguments)
    let printable = given.map { Output.printable($0) }
    guard !printable.elementsEqual(given) else { return error }
    do {
      _ = try parseAsRoot(printable)
      return error
    } catch let other {
      return exitCode(for: other) == .validationFailure ? other : error
    }
  }
}
