import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation

/// `atrest-keyserver audit`.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Prints the audit log, and verifies its chain and the rows of the tables.")

  @OptionGroup var options: StoreOptions
  @Flag(help: "Print only the number of entries and the code of the last one.") var quiet = false
  @Flag(help: "Print a line of JSON for each entry, and one with the number and the code.")
  var json = false

  private struct EntryLine: Encodable {
    let number: UInt64
    let time: Date
    let event: String
  }

  private struct EndLine: Encodable {
    let entries: UInt64
    let chain: String
  }

  func run() throws {
    let store = try options.store()
    // The log is read in pages, and nothing is locked meanwhile. If it was altered, the entries before
    // the alteration are printed.
    let (number, chain) = try store.forEachAuditEntry { entry in
      guard !quiet else { return }
      if json {
        try Output.json(EntryLine(number: entry.number, time: entry.time, event: entry.event))
      } else {
        Output.row(["\(entry.number)", entry.time.ISO8601Format(), entry.event])
      }
    }
    try store.verifyTables()
    if json {
      try Output.json(EndLine(entries: number, chain: chain.hexadecimal))
    } else {
      Output.line("\(number) entries, chain \(chain.hexadecimal)")
    }
  }
}
