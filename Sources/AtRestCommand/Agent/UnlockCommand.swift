import ArgumentParser
import AtRestKeychain
import AtRestCrypto

struct UnlockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the store in the agent, for all programs.",
    discussion: """
      Needs a running atrest-agent. Other commands unlock the store for themselves.

      EXAMPLES
        atrest unlock
        atrest unlock --passcode-file passcode.txt
      """)

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func run() throws {
    let agent = try AgentAccess.connect(unlock.store)
    try agent.send(.unlock(passcode: AgentSecret(try unlock.readPasscode())))
  }
}
