import ArgumentParser
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

struct AgentStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the state of the agent, and the evidence that it has about this program.",
    discussion: """
      The evidence is what a grant can rest on. Evidence of the kinds system-program, program and user \
      does not hold against other programs of the same user. The evidence terminal says that atrest \
      needs no grant on this terminal.
      """)

  @OptionGroup(title: "Store") var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func validate() { AgentIntroduction.introduce(toAgentOf: store.storeFolder) }

  func run() throws {
    let agent = try AgentAccess.connect(store)
    let status: AgentStatus = try agent.document(.status)
    if json { return try Output.writeJSON(status) }
    let idle = status.idleSeconds == 0 ? "never" : "after \(status.idleSeconds) seconds"
    Output.write(
      """
      store      \(Output.printable(status.folder))
      identity   \(Output.printable(status.store))
      socket     \(Output.printable(agent.path))
      state      \(status.state) since \(status.since.formatted(.iso8601))
      passcode   \(status.hasPasscode ? "set" : "not set")
      idle lock  \(idle)
      ask        \(Output.printable(status.ask))
      ssh socket \(Output.printable(status.sshSocket ?? "none"))
      bus        \(Output.printable(status.bus ?? "none"))\(status.replacesKeyring == true ? " --replace" : "")
      process    \(status.process)

      """)
    for evidence in status.evidence {
      Output.write("evidence   \(Output.printable(evidence.description))\n")
    }
  }
}
