import ArgumentParser
import AtRestKeychain
import Foundation

struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Show the state of the agent, and the evidence that it has about this program.",
    discussion: """
      The evidence is what a grant can rest on. Evidence of the kinds program and user does not \
      hold against other programs of the same user.

      EXAMPLES
        atrest agent
        atrest agent --json
      """)

  @OptionGroup(title: "Store") var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let status: AgentStatus = try AgentAccess.connect(store).document(.status)
    if json { return try Output.writeJSON(status) }
    let idle = status.idleSeconds == 0 ? "never" : "after \(status.idleSeconds) seconds"
    Output.write(
      """
      store      \(Output.printable(status.folder))
      identity   \(Output.printable(status.store))
      state      \(status.state) since \(status.since.formatted(.iso8601))
      passcode   \(status.hasPasscode ? "set" : "not set")
      idle lock  \(idle)
      process    \(status.process)

      """)
    for evidence in status.evidence {
      Output.write("evidence   \(Output.printable(evidence.description))\n")
    }
  }
}
