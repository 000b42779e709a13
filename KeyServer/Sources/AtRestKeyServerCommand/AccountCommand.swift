import ArgumentParser
import AtRestKeyServerStore

/// `atrest-keyserver account`.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Manages accounts.",
    subcommands: [
      Create.self, Code.self, List.self, Revoke.self, Restore.self, Unlock.self, Reset.self,
      Delete.self,
    ])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Creates an account, and prints a code for its first device.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    @Flag(help: "Destroy the key at the first attempt after the limit.")
    var destroyKeyAfterLimit = false
    @Flag(help: "Evaluate requests that no device of the account signed.")
    var allowUnknownDevices = false

    func run() throws {
      let store = try options.store()
      try store.createAccount(
        name,
        policy: AccountPolicy(
          destroysKey: destroyKeyAfterLimit, allowsUnknownDevices: allowUnknownDevices))
      print(try store.createCode(for: name))
    }
  }

  struct Code: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints a code with which one device can enrol within a day.")
    @OptionGroup var options: StoreOptions
    @Argument var name: String
    func run() throws { print(try options.store().createCode(for: name)) }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the accounts.")
    @OptionGroup var options: StoreOptions
    func run() throws {
      for account in try options.store().accounts().sorted(by: { $0.name < $1.name }) {
        var parts = [account.name, "attempts \(account.attempts)"]
        if account.isRevoked { parts.append("revoked") }
        if account.isKeyDestroyed { parts.append("key destroyed") }
        if !account.hasPassphrase { parts.append("no passphrase") }
        if let date = account.lockedUntil { parts.append("locked until \(date)") }
        print(parts.joined(separator: "\t"))
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
