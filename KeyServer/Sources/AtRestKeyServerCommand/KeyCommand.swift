import ArgumentParser
import AtRestKeyServerStore

/// `atrest-keyserver key`.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Manages the server key.",
    subcommands: [Create.self, Replace.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes a new server key to a file.")
    @Argument var file: String
    func run() throws { try ServerKeyFile.create(file) }
  }

  struct Replace: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Seals the database under another server key. Restart the servers with it.")
    @OptionGroup var options: StoreOptions
    @Argument(help: "The file with the new server key.") var file: String
    func run() throws { try options.store().replaceServerKey(with: ServerKeyFile.read(file)) }
  }
}
