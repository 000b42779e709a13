import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestDatabase
import AtRestFiles
import AtRestKeybag
import Foundation
import GRDB

struct DatabaseShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Run SQL on an encrypted database.",
    discussion: """
      --new makes the database, which must not exist. Without it, a file that is missing is not made. \
      The SQL is the argument, or else standard input. A row is a line, and its columns are separated \
      by a bar; with --json, it is an object with the names of its columns. Blobs are hexadecimal. \
      The first error ends the command.
      """)

  @OptionGroup var options: DatabaseKeyOptions
  @OptionGroup var weakness: WeakPassphraseOptions

  @Flag(help: "Make the database, which must not exist.")
  var new = false

  @Flag(help: "Write each row as a JSON object on a line.")
  var json = false

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  @Argument(help: "The SQL to run.")
  var sql: String?

  func validate() throws {
    guard sql != nil || !options.readsStandardInput else {
      throw ValidationError("Standard input provides a secret, so pass the SQL as an argument.")
    }
  }

  func run() throws {
    let url = SystemPath.url(database)
    let key = new ? try options.newKey(weakness) : try options.key()
    if new { try EncryptedDatabase.create(at: url, key: key, format: options.fileFormat) }
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.allowsUnsafeTransactions = true
    let queue = try EncryptedDatabase.openQueue(
      at: url, key: key, format: options.fileFormat, configuration: configuration)
    let sql = try sql ?? String(decoding: MessageInput.contents(of: "-"), as: UTF8.self)
    do {
      try queue.writeWithoutTransaction { db in
        let statements = try db.allStatements(sql: sql)
        while let statement = try statements.next() {
          let rows = try Row.fetchCursor(statement)
          while let row = try rows.next() { try write(row) }
        }
      }
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_INTERRUPT, key.isEnded {
        throw AtRestError(
          .wiped,
          "The store in \(options.unlock.store.storeFolder.path) was wiped or replaced during the query.",
          remedy: "Restore the store from a backup.")
      }
      throw AtRestError.ofUse(error, at: url.path) ?? Self.error(error)
    }
  }

  private static func error(_ error: DatabaseError) -> AtRestError {
    let isDamaged = error.extendedResultCode == .SQLITE_IOERR_DATA
    let remedy =
      switch error.resultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB,
        _ where isDamaged:
        "Run atrest database verify."
      case .SQLITE_IOERR, .SQLITE_CANTOPEN: "Check the database's folder, and its disk."
      default: "Check the SQL."
      }
    return AtRestError(
      isDamaged ? .damaged : .system, "SQLite: \(error.message ?? "\(error.resultCode)").",
      remedy: remedy)
  }

  private func write(_ row: Row) throws {
    guard json else { return Output.write(Self.line(row) + "\n") }
    let values = row.map { ($0, JSONValue(storage: $1.storage)) }
    try Output.writeJSONLine(Dictionary(values) { first, _ in first })
  }

  /// A row as text. Blobs are hexadecimal.
  private static func line(_ row: Row) -> String {
    row.databaseValues.map { value in
      switch value.storage {
      case .null: ""
      case .int64(let number): "\(number)"
      case .double(let number): "\(number)"
      case .string(let text): Output.isTerminal(STDOUT_FILENO) ? Output.printable(text) : text
      case .blob(let data): data.hexadecimal
      }
    }.joined(separator: "|")
  }

  /// A value of a column. JSON has no blobs and no infinite numbers, so they are text.
  private struct JSONValue: Encodable {
    let storage: DatabaseValue.Storage

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch storage {
      case .null: try container.encodeNil()
      case .int64(let number): try container.encode(number)
      case .double(let number) where number.isFinite: try container.encode(number)
      case .double(let number): try container.encode("\(number)")
      case .string(let text): try container.encode(text)
      case .blob(let data): try container.encode(data.hexadecimal)
      }
    }
  }
}
