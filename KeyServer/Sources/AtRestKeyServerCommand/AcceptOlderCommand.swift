import ArgumentParser
import AtRestKeyServerStore

/// `atrest-keyserver accept-older`.
struct AcceptOlderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept-older",
    abstract: "Accepts a database that was restored from a backup.",
    discussion: """
      A server with a record does not serve a database that is older than the record. Attempts that \
      were used up since the backup are available again, and so are devices that were revoked and \
      versions that were withdrawn. Stop the server, revoke them again, and accept the database \
      with this command. Each server has a record of its own. The audit log has an entry for it. \
      Without a record, rows that were put back, added or removed are accepted.
      """)

  @OptionGroup var options: StoreOptions
  @Option(help: ArgumentHelp("The record of the server.", valueName: "file")) var record: String?

  func run() throws {
    let settings = try options.settings(record.map { [.record: $0] } ?? [:])
    let store = try StoreOptions.store(settings)
    guard let path = settings.value(.record)?.text else {
      try store.acceptTables()
      return Output.note("The tables were accepted. No record is set.")
    }
    try DatabaseRecord.acceptOlder(path: path, store: store)
    Output.note("The tables were accepted, and the record \(path) was created again.")
  }
}
