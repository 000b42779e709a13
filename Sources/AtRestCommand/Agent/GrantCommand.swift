import ArgumentParser
import AtRestKeybag
import AtRestKeychain
import AtRestCrypto
import Crypto
import Foundation

struct GrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "List, add and remove the grants of the agent.",
    discussion: """
      A grant gives programs with certain evidence the items of some access groups. Without a \
      grant, the agent gives no items. The group atrest.files stands for the store's protected \
      files. Adding and removing require the store's passcode.

      EXAMPLES
        atrest grant add --program /usr/bin/backup --group backup
        atrest grant add --flatpak org.example.Mail --group mail --write
        atrest grant add --program /usr/bin/atrest --group atrest.files --write
        atrest grant list
      """,
    subcommands: [GrantListCommand.self, GrantAddCommand.self, GrantRemoveCommand.self])
}

struct GrantListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the grants.")

  @OptionGroup(title: "Store") var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let grants: [AgentGrant] = try AgentAccess.connect(store).document(.grants)
    if json { return try Output.writeJSON(grants) }
    let rows = grants.map { grant in
      [
        grant.id, grant.evidence.description, grant.groups.joined(separator: ", "),
        grant.mayWrite ? "read, write" : "read",
        grant.evidence.holdsAgainstOtherPrograms ? "yes" : "no",
      ].map { Output.printable($0) }
    }
    let headings = ["ID", "EVIDENCE", "GROUPS", "ACCESS", "HOLDS AGAINST YOUR OTHER PROGRAMS"]
    Output.write(Table(headings, rows).text(width: Output.width))
  }
}

struct GrantAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Give a grant.",
    discussion: """
      --program takes the digest of the program now. After an update of the program, a new grant is \
      needed.
      """)

  @Option(help: "The label of the security module.")
  var label: String?

  @Option(help: "The identifier of a Flatpak application.")
  var flatpak: String?

  @Option(help: "A unit of the system's service manager.")
  var unit: String?

  @Option(help: ArgumentHelp("A group of a program with the set-group-ID bit.", valueName: "name"))
  var unixGroup: String?

  @Option(help: ArgumentHelp("The path of a program.", valueName: "path"))
  var program: String?

  @Flag(help: "Every program of this user.")
  var everyProgram = false

  @Option(help: "An access group, or * for all. May be repeated.")
  var group: [String]

  @Flag(help: "Items may be added, changed and deleted, and protected files written.")
  var write = false

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() throws {
    let given =
      [label, flatpak, unit, unixGroup, program].compactMap { $0 }.count + (everyProgram ? 1 : 0)
    guard given == 1 else {
      throw ValidationError(
        "Use one of --label, --flatpak, --unit, --unix-group, --program and --every-program.")
    }
    guard !group.isEmpty else { throw ValidationError("Name a group with --group.") }
  }

  private func evidence() throws -> AgentEvidence {
    if let label { return AgentEvidence(.label, label) }
    if let flatpak { return AgentEvidence(.flatpak, flatpak) }
    if let unit { return AgentEvidence(.unit, unit) }
    if let unixGroup {
      guard let group = getgrnam(unixGroup) else {
        throw AtRestError(
          .notFound, "There is no group \(unixGroup).", remedy: "See getent group for the groups.")
      }
      return AgentEvidence(.unixGroup, String(group.pointee.gr_gid))
    }
    guard let program else { return AgentEvidence(.user, String(geteuid())) }
    guard let path = SystemPath.real(program) else {
      throw AtRestError(
        .notFound, "There is no program at \(program).", remedy: "Name the path of the program.")
    }
    let contents = try MessageInput.contents(of: path)
    let digest = SHA256.hash(data: contents).map { String(format: "%02x", $0) }.joined()
    return AgentEvidence(.program, "\(path) \(digest)")
  }

  func run() throws {
    let grant = AgentGrant(try evidence(), groups: group, mayWrite: write)
    let agent = try AgentAccess.connect(unlock.store)
    let passcode = try AgentSecret.passcode(unlock, agent)
    let added: AgentGrant = try agent.document(.addGrant(grant, passcode: passcode))
    if !added.evidence.holdsAgainstOtherPrograms {
      Output.note("This grant does not hold against other programs of the same user.")
    }
    Output.write(added.id + "\n")
  }
}

struct GrantRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a grant.")

  @Argument(help: "The ID of the grant.")
  var id: String

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func run() throws {
    let agent = try AgentAccess.connect(unlock.store)
    try agent.send(.removeGrant(id, passcode: AgentSecret.passcode(unlock, agent)))
  }
}

extension AgentSecret {
  /// Asks for the passcode, if the agent's store has one.
  fileprivate static func passcode(
    _ unlock: UnlockOptions, _ agent: AgentConnection
  ) throws -> AgentSecret {
    let status: AgentStatus = try agent.document(.status)
    return AgentSecret(
      status.hasPasscode ? try unlock.readPasscode() : SecretBytes(utf8: ""))
  }
}
