import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestDatabase
import Foundation

struct DatabaseKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the databases for which an item or a key file has a key.",
    discussion: """
      Each line is a salt, which is the first 16 bytes of the database, and the name that the file had when its \
      key was made. --remove removes the key of a database that no longer exists: nothing opens that database, \
      or a copy of it, afterwards. It asks you to type "remove", or for --yes.
      """)

  @OptionGroup var options: DatabaseKeyOptions

  @Option(
    help: ArgumentHelp("Remove the key of the database with this salt.", valueName: "salt"))
  var remove: String?

  @OptionGroup var confirmation: Confirmation

  @Flag(help: "Print JSON: an array of salts and names.")
  var json = false

  private struct Entry: Encodable {
    let salt: String
    let name: String
    let isUnfinished: Bool
  }

  func validate() throws {
    guard options.hasRandomKey else {
      throw ValidationError("Only an item and a key file have keys: --item or --key-file.")
    }
  }

  func run() throws {
    let key = try options.key()
    if let remove {
      let salt: Data
      do {
        salt = try DatabaseKey.salt(hexadecimal: SecretBytes(utf8: remove))
      } catch let error as AtRestError where error.code == .invalidArgument {
        throw AtRestError.invalid(
          error.message, remedy: "Name one that atrest database keys lists.")
      }
      if let entry = try EncryptedDatabase.keys(of: key).first(where: { $0.salt == salt }) {
        if entry.isUnfinished {
          Output.note(
            "a rekey with this key was not finished, and the database may be under it by now. Open the database first: "
              + "that removes the key that is not needed.")
        }
        try confirmation.ask(
          "The key of \(Output.printable(entry.name)) will be destroyed, and nothing opens the database, or a copy of "
            + "it, without a backup of its key.", word: "remove")
      }
      return try EncryptedDatabase.removeKey(of: salt, from: key)
    }
    let entries = try EncryptedDatabase.keys(of: key).map { entry in
      Entry(
        salt: entry.salt.hexadecimal, name: entry.name,
        isUnfinished: entry.isUnfinished)
    }
    guard !json else { return try Output.writeJSON(entries) }
    for entry in entries {
      let rest = entry.isUnfinished ? " (its rekey is not finished)" : ""
      Output.write("\(entry.salt)  \(Output.printable(entry.name))\(rest)\n")
    }
  }
}
