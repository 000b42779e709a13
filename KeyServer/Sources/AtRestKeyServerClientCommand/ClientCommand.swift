import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import Foundation

/// The program `atrest-keyserver-client`, which tries a key server out and shows how an application
/// uses `AtRestKeyServerClient`.
///
/// Exit codes: 0 done, 1 failure, 2 usage, 3 not found, 5 not permitted, 6 damaged.
@main struct ClientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "atrest-keyserver-client",
    abstract: "Protects files under a passphrase that cannot be guessed without the key server.",
    subcommands: [
      EnrolCommand.self, ProtectCommand.self, OpenCommand.self, ShareCommand.self,
    ])

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as AtRestError {
      // Parts of the text are the server's.
      if let date = (error.cause as? RetryTime)?.date {
        let time = date.ISO8601Format()
        note(
          "atrest-keyserver-client: \(error.message.printable) The next one is allowed at \(time).")
      } else {
        note("atrest-keyserver-client: \("\(error)".printable)")
      }
      Foundation.exit(status(error))
    } catch {
      switch exitCode(for: error) {
      case .success: exit(withError: error)
      case .validationFailure:
        note(fullMessage(for: error))
        Foundation.exit(2)
      default: exit(withError: error)
      }
    }
  }

  static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  private static func status(_ error: AtRestError) -> Int32 {
    switch error.refusal {
    case .notFound: return 3
    case .locked: return 4
    case .notPermitted: return 5
    case .damaged: return 6
    case nil: break
    }
    switch error.code {
    case .revoked, .notEnrolled, .keyDestroyed: return 5
    case .otherServerKey: return 6
    case .invalidArgument: return 2
    default: return 1
    }
  }
}
