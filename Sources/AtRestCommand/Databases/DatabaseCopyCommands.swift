import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestDatabase
import AtRestKeybag
import Foundation
import GRDB
import Synchronization

struct DatabaseImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Copy a database in plaintext to a new encrypted one.",
    discussion: """
      The original stays as it is. With --item or --key-file, a key for the new file is added there; the item \
      or the key file is made if it does not exist.
      """)

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
    if options.item != nil {
      Output.note("its key is in no earlier backup of the store. Make a new one.")
    }
  }
}

struct DatabaseExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy an encrypted database to a new one in plaintext.",
    discussion: """
      The copy is written as COPY.atrest-new, with a journal COPY.atrest-new-journal, and gets its name when it is \
      whole. Ctrl-C removes both. If the command is killed (kill -9), or the machine loses power, they stay, in plaintext, \
      until they are removed or the same copy is made again.
      """)

  @OptionGroup var options: DatabaseKeyOptions

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  @Argument(help: "The database in plaintext to make.", completion: .file())
  var copy: String

  /// The connection that makes the copy.
  private final class Connection: Sendable {
    enum State {
      case notBegun
      case copying(DatabaseQueue)
      case finished
    }
    let state = Mutex(State.notBegun)

    /// Interrupts the copy. Returns false if nothing was written yet.
    func interrupt() -> Bool {
      state.withLock { state in
        if case .copying(let queue) = state { queue.interrupt() }
        if case .notBegun = state { return false }
        return true
      }
    }
  }

  func run() throws {
    let key = try options.key()
    let connection = Connection()
    // A copy that is cut short is removed.
    try Interruption.stopping({ connection.interrupt() }) {
      try EncryptedDatabase.exportPlaintext(
        from: SystemPath.url(database), key: key, format: options.fileFormat,
        to: SystemPath.url(copy)
      ) { queue in
        // The process ends with the signal when the copy is removed.
        if queue != nil, Interruption.isPending { throw CancellationError() }
        connection.state.withLock { $0 = queue.map { .copying($0) } ?? .finished }
      }
      Output.note("\(copy) is not encrypted.")
    }
  }
}

struct DatabaseRekeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Encrypt a database under a new key, and in another format if one is named.",
    discussion: """
      With --item or --key-file, a new key is drawn there, and the keys of other databases stay. Otherwise a \
      new passphrase is read, or a new raw key from --new-raw-key-file. The database is copied, and the copy \
      takes its name; no other connection may be open. After a failure, the former key or the new one opens it. \
      Copies of the database no longer open. But if the file is not where it got its key, it may be a copy itself: the \
      former key then stays, and a note names it. \
      Without --new-format, the copy has the format of the original, with its page size, rounds and header.
      """)

  @OptionGroup var options: DatabaseKeyOptions
  @OptionGroup var weakness: WeakPassphraseOptions

  @Option(
    help: ArgumentHelp(
      "A file with the new passphrase; one final newline is removed.", valueName: "file"))
  var newPassphraseFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with the new raw key: 64, 96 or 160 hexadecimal digits.", valueName: "file"))
  var newRawKeyFile: String?

  @Option(help: "The format of the copy, with its usual settings. (default: that of the original)")
  var newFormat: DatabaseFormatName?

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  func validate() throws {
    guard !options.hasRandomKey || (newPassphraseFile == nil && newRawKeyFile == nil) else {
      throw ValidationError(
        "The new key is random; remove --new-passphrase-file and --new-raw-key-file, or see atrest database "
          + "passphrase.")
    }
    guard newPassphraseFile == nil || newRawKeyFile == nil else {
      throw ValidationError("Name one new key: --new-passphrase-file or --new-raw-key-file.")
    }
    let readsNew = newPassphraseFile == "-" || newRawKeyFile == "-"
    guard !readsNew || !options.readsStandardInput else {
      throw ValidationError("Standard input can provide only one secret.")
    }
  }

  func run() throws {
    let url = SystemPath.url(database)
    let key = try options.key()
    if asksNewKey {
      // A wrong key is reported before a new one is asked for.
      _ = try EncryptedDatabase.rawKey(of: url, key: key, format: options.fileFormat)
    }
    let former = try EncryptedDatabase.rekey(
      at: url, key: key, format: options.fileFormat, to: newKey(key), format: newFormat?.format)
    if let former {
      Output.note(
        "\(database) was moved, or is a copy. Its former key stays, because the original may need it: remove it with "
          + "atrest database keys --remove \(former.salt.hexadecimal) if there is none."
      )
    }
    if options.item != nil {
      Output.note(
        "\(database) has a new key, which is in no earlier backup of the store. Make a new one.")
    }
  }

  /// True if the new passphrase is asked for on the terminal.
  private var asksNewKey: Bool {
    !options.hasRandomKey && newPassphraseFile == nil && newRawKeyFile == nil
  }

  private func newKey(_ key: DatabaseKey) throws -> DatabaseKey {
    if options.hasRandomKey { return key }
    if let newRawKeyFile { return try .raw(hexadecimal: SecretInput.password(in: newRawKeyFile)) }
    let phrase = try PassphraseOptions.read(newPassphraseFile, isNew: true, of: "the database")
    try weakness.check(phrase, .sensitive)
    return .passphrase(phrase)
  }
}
