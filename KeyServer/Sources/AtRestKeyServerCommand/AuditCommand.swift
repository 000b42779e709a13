import ArgumentParser
import AtRestKeyServerProtocol
import AtRestKeyServerStore

/// `atrest-keyserver audit`.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Prints the audit log and verifies its chain.")

  @OptionGroup var options: StoreOptions
  @Flag(help: "Print only the number of entries and the code of the last one.") var quiet = false

  func run() throws {
    let (number, chain) = try options.store().forEachAuditEntry { entry in
      if !quiet { print("\(entry.number)\t\(entry.time)\t\(entry.event)") }
    }
    print("\(number) entries, chain \(chain.hexadecimal)")
  }
}
