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
      The exit code is 6 if a page is damaged, and 1 if every page is authentic and SQLite finds a fault in the \
      contents. If these need collations or functions of an application, SQLite cannot check them here, and a \
      note says so. The check does not find that an older page or an older \
      database was put back.
      """)

  @OptionGroup var options: DatabaseKeyOptions

  @Flag(
    help:
      "Print JSON: the number of pages, the damaged ones, SQLite's problems, and why it could not look."
  )
  var json = false

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  private struct Report: Encodable {
    let pages: Int
    let damagedPages: [Int]
    let problems: [String]
    let uncheckedReason: String?
  }

  func run() throws {
    let url = SystemPath.url(database)
    let key = try options.key()
    let found = try EncryptedDatabase.verify(at: url, key: key, format: options.fileFormat)
    if json {
      try Output.writeJSON(
        Report(
          pages: found.pageCount, damagedPages: found.damagedPages, problems: found.problems,
          uncheckedReason: found.uncheckedReason))
    } else {
      for page in found.damagedPages { Output.write("Page \(page) is damaged.\n") }
      for problem in found.problems { Output.write("\(Output.printable(problem))\n") }
    }
    guard found.damagedPages.isEmpty else {
      throw AtRestError.damaged(
        "The database \(database) is damaged: \(found.damagedPages.count) of \(found.pageCount) pages."
      )
    }
    guard found.problems.isEmpty else {
      throw AtRestError(
        .system,
        "SQLite finds faults in the contents of \(database), although every page is authentic.",
        remedy: "They were written like this. Restore a backup, or rebuild indexes with REINDEX.")
    }
    if json { return }
    Output.note("\(database): every page is intact (\(found.pageCount)).")
    if let reason = found.uncheckedReason {
      Output.note("SQLite could not check the contents: \(Output.printable(reason)).")
    }
  }
}
