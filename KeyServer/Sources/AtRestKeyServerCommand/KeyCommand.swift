import ArgumentParser
import AtRestCrypto
import AtRestKeyServerStore

/// `atrest-keyserver key`.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Manages the server key.",
    subcommands: [Create.self, Rotate.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes a new server key to a file.")
    @Argument var file: String
    func run() throws { try ServerKeyFile.create(file) }
  }

  struct Rotate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Seals all rows under a new root key, and that under another server key.",
      discussion: """
        Servers that have the new server key as next-server-key go on afterwards. Others answer \
        nothing until they are started with the new key. Requests are refused while rows are sealed. \
        If the command is interrupted, nothing was changed.

        Erase the former server key afterwards. Until then it opens older backups of the database, \
        with what was destroyed since.
        """)
    @OptionGroup var options: StoreOptions
    @Argument(help: "The file with the new server key.") var file: String

    func run() throws {
      let key = try ServerKeyFile.read(file)
      let settings = try options.settings()
      let present = try ServerKeyFile.read(settings.required(.serverKey, "The server key"))
      guard !present.isEqual(to: key) else {
        throw AtRestError(
          .invalidArgument, "\(file) is the present server key.",
          remedy: "Make a new one with: atrest-keyserver key create.")
      }
      let store = try StoreOptions.store(settings, nextKey: file)
      if try store.isSealed(under: key) {
        Output.note("The root key was rotated to this server key before.")
      } else {
        try store.rotateKeys(to: key)
      }
      Output.note("Start the servers with \(file) as their server key, then erase the former one.")
    }
  }
}
