import ArgumentParser

/// Measures a key server. `KeyServer/Scripts/bench.sh` starts the database and calls it.
@main
struct KeyServerBenchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keyserver-bench", abstract: "Measures a key server.",
    subcommands: [
      CryptoCommand.self, PrepareCommand.self, ServeCommand.self, LoadCommand.self,
      TimingCommand.self,
    ])
}
