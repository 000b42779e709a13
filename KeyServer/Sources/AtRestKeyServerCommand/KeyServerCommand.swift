import ArgumentParser
import AtRestCrypto
import Foundation

/// The program `atrest-keyserver`.
@main struct KeyServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrest-keyserver",
    abstract: "Hardens passphrases, and keeps shares and keys that can be revoked.",
    subcommands: [
      ServeCommand.self, AccountCommand.self, DeviceCommand.self, AuditCommand.self,
      KeyCommand.self,
    ])

  static func main() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as AtRestError {
      FileHandle.standardError.write(Data("atrest-keyserver: \(error)\n".utf8))
      let status: Int32 =
        switch error.refusal {
        case .notFound: 3
        case .locked: 4
        case .notPermitted: 5
        case .damaged: 6
        case nil: 1
        }
      exit(withError: ExitCode(status))
    } catch {
      exit(withError: error)
    }
  }
}
