import ArgumentParser
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation

/// `atrest-keyserver account`.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manages accounts.",
    subcommands: [
      Create.self, Code.self, List.self, Revoke.self, Restore.self, Unlock.self, Reset.self,
      Delete.self,
    ])

  /// A code, as JSON.
  private struct CodeLine: Encodable {
    let account: String
    let code: String
  }

  private static func write(code: String, for account: String, asJSON: Bool) throws {
    if asJSON {
      try Output.json(CodeLine(account: account, code: code))
    } else {
      Output.line(code)
    }
  }

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates an account, and prints a code for its first device.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    @Flag(help: "Destroy the key at the first attempt after the limit.")
    var destroyKeyAfterLimit = false
    @Flag(help: "Evaluate requests that no device of the account signed.")
    var allowUnknownDevices = false
    @Option(help: "The hours for which devices may use shares and wrapping keys offline.")
    var offlineHours: UInt32 = 0
    @Option(
      help: "The attempts of its devices that may stay without a proof in a year; 0 for any number."
    )
    var attemptsPerYear: UInt32 = AccountPolicy().attemptsPerYear
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      guard offlineHours <= 24 * 365 else {
        throw ValidationError("Use at most \(24 * 365) hours.")
      }
      let store = try options.store()
      try store.createAccount(
        name,
        policy: AccountPolicy(
          destroysKey: destroyKeyAfterLimit, allowsUnknownDevices: allowUnknownDevices,
          offlineSeconds: offlineHours * 3600, attemptsPerYear: attemptsPerYear))
      try AccountCommand.write(code: store.createCode(for: name), for: name, asJSON: json)
    }
  }

  struct Code: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints a code with which one device can enrol within a day.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    @Flag(help: "Print JSON.") var json = false
    func run() throws {
      try AccountCommand.write(
        code: options.store().createCode(for: name), for: name, asJSON: json)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the accounts.")
    @OptionGroup var options: StoreOptions
    @Flag(help: "Print a line of JSON for each account.") var json = false

    private struct Line: Encodable {
      let name: String
      let suite: String?
      let attempts: Int
      let attemptsOfYear: Int
      let attemptsPerYear: UInt32
      let revoked: Bool
      let keyDestroyed: Bool
      let hasPassphrase: Bool
      let destroysKeyAfterLimit: Bool
      let allowsUnknownDevices: Bool
      let lockedUntil: Date?
    }

    func run() throws {
      for account in try options.store().accounts().sorted(by: { $0.name < $1.name }) {
        guard !json else {
          try Output.json(
            Line(
              name: account.name, suite: account.suite?.name, attempts: account.attempts,
              attemptsOfYear: account.attemptsOfYear,
              attemptsPerYear: account.policy.attemptsPerYear, revoked: account.isRevoked,
              keyDestroyed: account.isKeyDestroyed, hasPassphrase: account.hasPassphrase,
              destroysKeyAfterLimit: account.policy.destroysKey,
              allowsUnknownDevices: account.policy.allowsUnknownDevices,
              lockedUntil: account.lockedUntil))
          continue
        }
        var parts = [account.name, "attempts \(account.attempts)"]
        if account.attemptsOfYear > 0 { parts.append("\(account.attemptsOfYear) this year") }
        if let suite = account.suite, suite < .current { parts.append(suite.name) }
        if account.isRevoked { parts.append("revoked") }
        if account.isKeyDestroyed { parts.append("key destroyed") }
        if !account.hasPassphrase { parts.append("no passphrase") }
        if let date = account.lockedUntil { parts.append("locked until \(date.ISO8601Format())") }
        Output.row(parts)
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Refuses all requests of an account from now on.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    func run() throws { try options.store().setAccount(name, revoked: true) }
  }

  struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Reverses the revocation.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    func run() throws { try options.store().setAccount(name, revoked: false) }
  }

  struct Unlock: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forgets the attempts of an account.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    func run() throws { try options.store().unlockAccount(name) }
  }

  struct Reset: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Replaces the key of the passphrase. What it protected is lost.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    func run() throws { try options.store().resetPassphrase(of: name) }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes an account with its devices and keys.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    func run() throws { try options.store().deleteAccount(name) }
  }
}
