import ArgumentParser

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Take over the secrets of another keyring.",
    subcommands: [ImportSecretServiceCommand.self])
}
