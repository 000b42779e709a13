import ArgumentParser
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the store in the agent, for all programs.",
    discussion: """
      Needs a running atrest-agent. Its keys are erased before this command ends, however many requests other \
      programs make.
      """)

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    // Another store than the expected one is not locked in either way.
    _ = try AgentAccess.identity(of: store)
    // Other programs can keep the agent's socket busy, but not this way.
    if AgentLock.lock(storeIn: store.storeFolder) { return }
    let agent = try AgentAccess.connect(store)
    try agent.send(.lock)
    if let status: AgentStatus = try? agent.document(.status), !status.hasPasscode {
      Output.note(
        "The store has no passcode: programs that do not use the agent can still open it.")
    }
  }
}
