import ArgumentParser
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the agent's audit log: who asked for what, and the answer.",
    discussion: """
      EXAMPLES
        atrest log
        atrest log --count 1000 --json
      """)

  @Option(help: "The number of entries.")
  var count: UInt16 = 50

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() { AgentIntroduction.introduce(toAgentOf: store.storeFolder) }

  func run() throws {
    let entries: [AgentLogEntry] = try AgentAccess.connect(store).document(.log(count: count))
    if json { return try Output.writeJSON(entries) }
    let rows = entries.map { entry in
      [
        entry.time.formatted(.iso8601), entry.operation, entry.answer, entry.subject,
        String(entry.process), entry.evidence.map(\.description).joined(separator: ", "),
      ].map { Output.printable($0) }
    }
    let headings = ["TIME", "OPERATION", "ANSWER", "SUBJECT", "PROCESS", "EVIDENCE"]
    Output.write(Table(headings, rows).text(width: Output.width))
  }
}
