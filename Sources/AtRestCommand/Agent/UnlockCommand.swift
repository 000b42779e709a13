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

  @Flag(
    help: """
      For the password of a login (PAM): does nothing if the store is unlocked, and tries the passcode only if no wrong \
      one was tried since the last right one.
      """)
  var atLogin = false

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() throws {
    guard !atLogin || unlock.passcodeFile != nil else {
      throw ValidationError("--at-login needs --passcode-file.")
    }
    AgentIntroduction.introduce(toAgentOf: unlock.store.storeFolder)
  }

  func run() throws {
    if atLogin { return try LoginUnlock.run(unlock) }
    let agent = try AgentAccess.connect(unlock.store)
    try agent.send(.unlock(passcode: AgentSecret.passcode(unlock, agent)))
  }
}
