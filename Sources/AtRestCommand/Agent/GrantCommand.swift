import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

struct GrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "List, add and remove the grants of the agent.",
    discussion: """
      A grant gives programs with certain evidence the items of some access groups. Without a \
      grant, the agent gives no items, except to atrest on the terminal on which the store was \
      unlocked with atrest unlock. The group atrest.files stands for the store's protected files. \
      Adding and removing require the store's passcode.

      EXAMPLES
        atrest grant add --for git
        atrest grant add --program /usr/bin/backup --group backup
        atrest grant add --flatpak org.example.Mail --group mail --write
        atrest grant add --program /usr/bin/atrest --group atrest.files --write
        atrest grant list
      """,
    subcommands: [GrantListCommand.self, GrantAddCommand.self, GrantRemoveCommand.self])
}

struct GrantListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the grants.",
    discussion: """
      The store must have been unlocked since the agent started.

      ACCESS is read, or write, which includes reading. SANDBOXES says whether the grant holds for programs in a sandbox, and HOLDS whether no other \
      program of yours can produce its evidence. On a terminal, long cells are cut to fit.
      """)

  @OptionGroup(title: "Store") var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func validate() { AgentIntroduction.introduce(toAgentOf: store.storeFolder) }

  func run() throws {
    let grants: [AgentGrant] = try AgentAccess.connect(store).document(.grants)
    if json { return try Output.writeJSON(grants) }
    let table = Table(GrantLine.headings, grants.map { GrantLine(grant: $0).cells })
    Output.write(table.text(width: Output.width))
  }
}

struct GrantRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a grant.")

  @Argument(help: "The ID of the grant.")
  var id: String

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() { AgentIntroduction.introduce(toAgentOf: unlock.store.storeFolder) }

  func run() throws {
    let agent = try AgentAccess.connect(unlock.store)
    try agent.send(.removeGrant(id, passcode: AgentSecret.passcode(unlock, agent)))
  }
}

extension AgentSecret {
  /// Asks for the passcode, if the agent's store has one.
  static func passcode(
    _ unlock: UnlockOptions, _ agent: AgentConnection
  ) throws -> AgentSecret {
    let status: AgentStatus = try agent.document(.status)
    return AgentSecret(
      status.hasPasscode
        // The agent has the store. If this process cannot open it, the agent tells a delay.
        ? try unlock.readPasscode(of: try? unlock.store.openKeybag()) : SecretBytes(utf8: ""))
  }
}
