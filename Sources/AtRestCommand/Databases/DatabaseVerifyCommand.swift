import ArgumentParser
import AtRestCrypto
import AtRestDatabase
import AtRestKeybag
import Foundation

struct DatabaseVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every page of an encrypted database, and its contents.",
    discussion: """
      The exit code is 6 if a page is damaged or, in the format atrest, of an earlier version of the \
      database. SQLCipher's formats cannot tell. --accept-older accepts such a database as it is, for \
      example one that was restored from a backup, or without its state file.
      """)

  @OptionGroup var options: DatabaseKeyOptions

  @Flag(
    help: """
      Print JSON: the number of pages, the damaged ones, whether all are of the last version, and \
      SQLite's problems.
      """)
  var json = false

  @Flag(help: "Accept an older database in the format atrest, and then check it.")
  var acceptOlder = false

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  private struct Report: Encodable {
    let pages: Int
    let damagedPages: [Int]
    let isCurrent: Bool
    let problems: [String]
  }

  func validate() throws {
    guard !acceptOlder || options.format == .atrest else {
      throw ValidationError("Only the format atrest detects older databases: name --format atrest.")
    }
  }

  func run() throws {
    let url = SystemPath.url(database)
    let key = try options.key()
    if acceptOlder { try EncryptedDatabase.acceptOlder(at: url, key: key) }
    let found = try EncryptedDatabase.verify(at: url, key: key, format: options.fileFormat)
    if json {
      try Output.writeJSON(
        Report(
          pages: found.pageCount, damagedPages: found.damagedPages, isCurrent: found.isCurrent,
          problems: found.problems))
    } else {
      for page in found.damagedPages { Output.write("Page \(page) is damaged.\n") }
      for problem in found.problems { Output.write("\(Output.printable(problem))\n") }
    }
    if !found.isCurrent, found.damagedPages.isEmpty {
      throw AtRestError(
        .rolledBack, "A page of the database \(database) is of an earlier version.",
        remedy: "Restore a backup, or accept the database as it is with --accept-older.")
    }
    guard found.isIntact else {
      throw AtRestError.damaged(
        "The database \(database) is damaged: \(found.damagedPages.count) of \(found.pageCount) pages."
      )
    }
    if !json { Output.note("\(database): every page is intact (\(found.pageCount)).") }
  }
}
