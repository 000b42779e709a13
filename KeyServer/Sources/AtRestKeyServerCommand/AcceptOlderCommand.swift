import ArgumentParser
import AtRestKeyServerStore

/// `atrest-keyserver accept-older`.
struct AcceptOlderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept-older", abstract: "Accepts a database that is older than the record.",
    discussion: """
      A server with a record refuses to serve a database that is older than it was. Attempts that \
      were used up since then are there again, and so are devices that were revoked and keys that \
      were withdrawn. Stop the server, revoke again what audit no longer lists, and accept the \
      database with this command. The audit log tells that it was accepted.
      """)

  @OptionGroup var options: StoreOptions
  @Option(help: ArgumentHelp("The record of the server.", valueName: "file")) var record: String?

  func run() throws {
    let settings = try options.settings(record.map { [.record: $0] } ?? [:])
    try DatabaseRecord.acceptOlder(
      path: settings.required(.record, "The record"), store: StoreOptions.store(settings))
  }
}
