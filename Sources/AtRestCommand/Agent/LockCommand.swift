import ArgumentParser
import AtRestKeychain

struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the store in the agent, for all programs.",
    discussion: "Needs a running atrest-agent. Its keys are erased before this command ends.")

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws { try AgentAccess.connect(store).send(.lock) }
}
