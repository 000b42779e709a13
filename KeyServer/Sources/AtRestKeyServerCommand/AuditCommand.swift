import ArgumentParser
@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation

/// `atrest-keyserver audit`.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Prints the audit log and verifies its chain.")

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
    // The log is locked while it is read, so nothing is printed meanwhile: a pager would keep
    // devices from enrolling.
    var entries: [KeyServerStore.AuditEntry] = []
    let end = Result {
      try options.store().forEachAuditEntry { entry in
        // The database may repeat the transaction.
        if entry.number == 1 { entries.removeAll() }
        if !quiet { entries.append(entry) }
      }
    }
    // If the log was altered, the entries before the alteration are printed.
    for entry in entries {
      if json {
        try Output.json(EntryLine(number: entry.number, time: entry.time, event: entry.event))
      } else {
        Output.row(["\(entry.number)", entry.time.ISO8601Format(), entry.event])
      }
    }
    let (number, chain) = try end.get()
    if json {
      try Output.json(EndLine(entries: number, chain: chain.hexadecimal))
    } else {
      Output.line("\(number) entries, chain \(chain.hexadecimal)")
    }
  }
}
