import ArgumentParser
import AtRestDatabase
import AtRestKeybag
import Foundation

struct DatabaseImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Copy a database in plaintext to a new encrypted one.",
    discussion: "The original stays as it is. With --item, the item is made if it does not exist.")

  @OptionGroup var options: DatabaseKeyOptions
  @OptionGroup var weakness: WeakPassphraseOptions

  @Argument(help: "The database in plaintext.", completion: .file())
  var original: String

  @Argument(help: "The encrypted database to make.", completion: .file())
  var database: String

  func run() throws {
    try EncryptedDatabase.importPlaintext(
      from: SystemPath.url(original), to: SystemPath.url(database),
      key: options.newKey(weakness), format: options.fileFormat)
    Output.note("\(database) is encrypted. The original \(original) is still in plaintext.")
  }
}

struct DatabaseExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy an encrypted database to a new one in plaintext.")

  @OptionGroup var options: DatabaseKeyOptions

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  @Argument(help: "The database in plaintext to make.", completion: .file())
  var copy: String

  func run() throws {
    try EncryptedDatabase.exportPlaintext(
      from: SystemPath.url(database), key: options.key(),
      format: options.fileFormat, to: SystemPath.url(copy))
    Output.note("\(copy) is not encrypted.")
  }
}

struct DatabaseRekeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Encrypt a database under a new key, and in another format if one is named.",
    discussion: """
      With --item or --key-file, a new key is drawn there. Otherwise a new passphrase is read. The database \
      is copied, and the copy takes its name; no other connection may be open. Without --new-format, \
      the copy is in the format sqlcipher4, with the --page-size of the database.
      """)

  @OptionGroup var options: DatabaseKeyOptions
  @OptionGroup var weakness: WeakPassphraseOptions

  @Option(
    help: ArgumentHelp(
      "A file with the new passphrase; one final newline is removed.", valueName: "file"))
  var newPassphraseFile: String?

  @Option(help: "The format of the copy.")
  var newFormat: DatabaseFormatName?

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  func validate() throws {
    guard !options.hasRandomKey || newPassphraseFile == nil else {
      throw ValidationError(
        "The new key is random; remove --new-passphrase-file, or see atrest database passphrase.")
    }
    guard newPassphraseFile != "-" || !options.readsStandardInput else {
      throw ValidationError("Standard input can provide only one secret.")
    }
  }

  func run() throws {
    let url = SystemPath.url(database)
    let key = try options.key()
    var format = newFormat?.format ?? .sqlcipher4
    // Whoever opens a database with pages of this size goes on to do so.
    if newFormat == nil, let size = options.pageSize { format.pageSize = size }
    guard !options.hasRandomKey else {
      return try EncryptedDatabase.rekey(
        at: url, key: key, format: options.fileFormat, newFormat: format)
    }
    let phrase = try PassphraseOptions.read(newPassphraseFile, isNew: true, of: "the database")
    try weakness.check(phrase, .sensitive)
    try EncryptedDatabase.rekey(
      at: url, key: key, format: options.fileFormat, to: .passphrase(phrase), format: format)
  }
}
