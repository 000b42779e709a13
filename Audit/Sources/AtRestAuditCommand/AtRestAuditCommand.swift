import ArgumentParser
import AtRestAudit
@_spi(Tools) import AtRestCrypto
import Foundation

/// The command `atrest-audit`.
@main struct AtRestAuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrest-audit",
    abstract: "Finds data that an app stores, logs, shows or shares unprotected.",
    discussion: """
      Reads Swift, Objective-C, xibs, storyboards, property lists, data models, projects and lock \
      files. With 'container', it reads what an app left behind: its folder, an archive or a \
      backup. Results are written to standard output, everything else to standard error.

      EXAMPLES
        atrest-audit .
        atrest-audit --format sarif --output audit.sarif --fail-on high .
        atrest-audit --write-baseline audit-baseline.json .
        atrest-audit --baseline audit-baseline.json --changed-since origin/main .
        atrest-audit --explain userdefaults-sensitive
        atrest-audit container --canary 'correct-horse-7' ~/Containers/Bank
        atrest-audit rules

      SETTINGS
        \(Settings.fileName) in the folder that is audited. 'atrest-audit init' writes one. In \
      code, '// atrest:ignore RULE reason' suppresses a finding.

      EXIT CODES
        0 nothing at or above --fail-on; 1 findings or, with --strict, files that could not be \
      read; 2 wrong usage or settings.

      COMPLETIONS AND MANUAL
        atrest-audit --generate-completion-script bash|zsh|fish; man atrest-audit.
      """,
    version: AtRestVersion.current,
    subcommands: [
      ScanCommand.self, ContainerCommand.self, SnapshotCommand.self, DiffCommand.self,
      BackupCommand.self, KeychainCommand.self, RulesCommand.self, ChecklistCommand.self,
      InitCommand.self,
    ],
    defaultSubcommand: ScanCommand.self)

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Foundation.exit(report(error))
    }
  }

  /// Prints the error and returns its exit code.
  private static func report(_ error: any Error) -> Int32 {
    if let error = error as? ExitCode { return error.rawValue }
    if error is AuditError || error is SettingsError || error is FormatError || error is AtRestError
    {
      Output.note("atrest-audit: \(error)")
      return ExitStatus.usage.rawValue
    }
    let message = fullMessage(for: error)
    switch exitCode(for: error) {
    case .success:
      // Help, the version and completion scripts are results.
      try? Output.write(message + "\n")
      return ExitStatus.clean.rawValue
    default:
      Output.note(message)
      return ExitStatus.usage.rawValue
    }
  }
}
