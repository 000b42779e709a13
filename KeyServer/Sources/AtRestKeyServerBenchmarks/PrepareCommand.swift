import ArgumentParser
import AtRestKeyServerStore

/// `keyserver-bench prepare`: creates accounts.
struct PrepareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Creates accounts.")

  @OptionGroup var options: BenchOptions
  @Option(help: "The accounts of each kind.") var accounts = 2000

  func run() throws {
    let store = try options.store(delays: false)
    for index in 0..<accounts {
      try store.createAccount(Names.open(index), policy: AccountPolicy(allowsUnknownDevices: true))
      try store.createAccount(Names.closed(index))
    }
  }
}
