import ArgumentParser
@_spi(Tools) import AtRestCrypto
import CProcess
import Foundation

/// The program `atrest-keyserver`.
///
/// Exit codes: 0 done, 1 failure, 2 usage, 3 not found, 5 not permitted, 6 damaged.
@main struct KeyServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrest-keyserver",
    abstract: "Hardens passphrases, and keeps shares and keys that can be revoked.",
    version: AtRestVersion.current,
    subcommands: [
      ServeCommand.self, AccountCommand.self, DeviceCommand.self, AuditCommand.self,
      KeyCommand.self, AcceptOlderCommand.self,
    ])

  static func main() async {
    // The root key is in this process, and an embedded database is a file of its user.
    umask(0o077)
    if keyserver_harden() != 0 { Output.note("Core dumps could not be disabled.") }
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      Foundation.exit(report(error))
    }
  }

  /// Prints an error, and returns its exit code.
  private static func report(_ error: any Error) -> Int32 {
    if let error = error as? AtRestError {
      Output.note("atrest-keyserver: \(error)")
      return switch error.refusal {
      case .notFound: 3
      case .locked: 4
      case .notPermitted: 5
      case .damaged: 6
      case nil: error.code == .invalidArgument ? 2 : 1
      }
    }
    switch exitCode(for: error) {
    case .success:
      // Help, or a completion script.
      Output.line(fullMessage(for: error))
      return 0
    case .validationFailure:
      Output.note(fullMessage(for: error))
      return 2
    case let other:
      Output.note(fullMessage(for: error))
      return other.rawValue
    }
  }
}
