import ArgumentParser
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

struct UnlockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock the store in the agent, for all programs.",
    discussion: """
      Needs a running atrest-agent (atrest agent start). Until the store is locked, atrest on the \
      same terminal then uses the agent without a grant. Other programs need one (atrest grant).

      EXAMPLES
        atrest unlock
        atrest unlock --passcode-file passcode.txt
      """)

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() { AgentIntroduction.introduce(toAgentOf: unlock.store.storeFolder) }

  func run() throws {
    let agent = try AgentAccess.connect(unlock.store)
    try agent.send(.unlock(passcode: AgentSecret.passcode(unlock, agent)))
  }
}
