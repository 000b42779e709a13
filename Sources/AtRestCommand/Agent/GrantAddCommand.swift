import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

struct GrantAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Give a grant.",
    discussion: """
      --program names a program by its path alone if only root can replace the program, so the grant \
      survives updates of the system. For other programs, it also takes the digest of the program \
      now, and a new grant is needed after each change of the program; --any-version leaves it out.

      --for gives what a tool needs, with one question for the passcode: ssh gives ssh and ssh-keygen \
      the group ssh, and lets ssh-add add keys; git gives ssh and ssh-keygen the group ssh, and \
      git-credential-atrest the group atrest; docker gives docker-credential-atrest the group docker; \
      secret-service gives every program of this user the group secret-service, as other keyrings do; \
      flatpak lets xdg-desktop-portal give Flatpaks their secrets, by the group flatpak-secrets.

      Prints the ID of the grant; with --for, one line for each grant, with its ID, groups and evidence.
      """)

  @Option(name: .customLong("for"), help: "A tool: ssh, git, docker, secret-service or flatpak.")
  var tool: AgentTool?

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

  @Flag(help: "Every version of the program at this path.")
  var anyVersion = false

  @Flag(help: "Every program of this user.")
  var everyProgram = false

  @Flag(help: "Also programs in a sandbox, with --program or --every-program.")
  var inSandboxes = false

  @Option(help: "An access group, or * for all. May be repeated.")
  var group: [String] = []

  @Flag(help: "Items may be added, changed and deleted, and protected files written.")
  var write = false

  @OptionGroup(title: "Store") var unlock: UnlockOptions

  func validate() throws {
    let given =
      [label, flatpak, unit, unixGroup, program].compactMap { $0 }.count + (everyProgram ? 1 : 0)
    guard tool == nil || given == 0 && group.isEmpty && !write && !anyVersion && !inSandboxes else {
      throw ValidationError("--for says all of a grant.")
    }
    guard tool != nil || given == 1 else {
      throw ValidationError(
        "Use one of --for, --label, --flatpak, --unit, --unix-group, --program and "
          + "--every-program.")
    }
    guard tool != nil || !group.isEmpty else { throw ValidationError("Name a group with --group.") }
    guard !anyVersion || program != nil else {
      throw ValidationError("--any-version belongs to --program.")
    }
    guard !inSandboxes || program != nil || everyProgram else {
      throw ValidationError("--in-sandboxes belongs to --program or --every-program.")
    }
    AgentIntroduction.introduce(toAgentOf: unlock.store.storeFolder)
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
    if let program { return try ProgramEvidence.of(program, anyVersion: anyVersion) }
    return AgentEvidence(.user, String(geteuid()))
  }

  private func grants() throws -> [AgentGrant] {
    if let tool { return try tool.grants() }
    return [
      AgentGrant(
        try evidence(), groups: group, mayWrite: write, isForSandboxes: inSandboxes)
    ]
  }

  func run() throws {
    let grants = try grants()
    let agent = try AgentAccess.connect(unlock.store)
    let passcode = try AgentSecret.passcode(unlock, agent)
    let added: [AgentGrant] = try agent.document(.addGrants(grants, passcode: passcode))
    if added.contains(where: { !$0.evidence.holdsAgainstOtherPrograms }) {
      Output.note("This grant does not hold against other programs of the same user.")
    }
    // Whoever gave one grant knows what it is for, and can use the ID alone.
    Output.write(
      added.map { (tool == nil ? $0.id : GrantLine(grant: $0).text) + "\n" }.joined())
  }
}
