import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import CAtRestSystem
import Foundation

struct AgentStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start the agent for the store, in the background, and wait until it answers.",
    discussion: """
      Does nothing if an agent serves the store already, unless that agent has other options: they are those with \
      which it was started. The agent runs until atrest agent stop, or until the system ends. It starts locked: see \
      atrest unlock.

      EXAMPLES
        atrest agent start
        atrest agent start --idle 900 --ssh-socket ~/.ssh/atrest
        atrest agent start --bus session --replace
      """)

  @Option(
    help: ArgumentHelp(
      "Lock the store after this time without a request for an item. 0 means never. (default: 0)",
      valueName: "seconds"))
  var idle: Int?

  @Option(
    help: ArgumentHelp(
      "The path of a socket for the ssh-agent protocol. (default: none)", valueName: "path"))
  var sshSocket: String?

  @Option(
    help: ArgumentHelp(
      "Ask the user about requests without a grant. (values: absolute path of a program, never; default: never)",
      valueName: "prompt"))
  var ask: String?

  @Option(
    help: ArgumentHelp(
      "Be the Secret Service on the session's bus too. (values: session, an address of a bus, none; default: none)",
      valueName: "bus"))
  var bus: String?

  @Flag(
    help: ArgumentHelp(
      "Take the place of another keyring on the session's bus, if it permits that."))
  var replace = false

  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    guard idle ?? 0 >= 0 else { throw ValidationError("--idle cannot be negative.") }
    guard ask == nil || ask == "never" || ask?.hasPrefix("/") == true else {
      throw ValidationError("--ask takes the absolute path of a program, or never.")
    }
    guard !replace || bus.map({ $0 != "none" }) == true else {
      throw ValidationError("--replace needs --bus.")
    }
    // The agent tells its options only to a program that it recognises.
    AgentIntroduction.introduce(toAgentOf: store.storeFolder)
  }

  func run() throws {
    // A missing or wiped store is reported here, and not by the agent.
    try store.openKeybag().close()
    if let agent = try AgentAccess.connectOrWait(store) {
      if try !hasTheOptions(agent) {
        throw AtRestError(
          .busy, "The agent that serves the store already has other options.",
          remedy: "End it first: atrest agent stop.")
      }
      return Output.write(agent.path + "\n")
    }
    let agent = try StartedAgent(Self.program(), arguments())
    Output.write(try agent.connect(store).path + "\n")
  }

  /// Returns true if the options that were given are those of an agent that runs.
  private func hasTheOptions(_ agent: AgentConnection) throws -> Bool {
    let status: AgentStatus = try agent.document(.status)
    let socket = sshSocket.map { SystemPath.url($0).path }
    return idle ?? status.idleSeconds == status.idleSeconds && ask ?? status.ask == status.ask
      && socket ?? status.sshSocket == status.sshSocket && bus ?? status.bus == status.bus
      && (!replace || status.replacesKeyring == true)
  }

  private func arguments() -> [String] {
    var arguments = [
      "--store", store.storeFolder.path, "--device", store.deviceFolder.path,
      "--idle", "\(idle ?? 0)", "--ask", ask ?? "never",
    ]
    if let bus { arguments += ["--bus", bus] }
    if replace { arguments.append("--replace") }
    if let sshSocket {
      arguments += ["--ssh-socket", SystemPath.url(sshSocket).path]
    }
    return arguments
  }

  /// The program beside this one, or otherwise the first one on the PATH.
  private static func program() throws -> String {
    let name = "atrest-agent"
    let beside = SystemPath.real("/proc/self/exe").map {
      ($0 as NSString).deletingLastPathComponent + "/" + name
    }
    if let beside, access(beside, X_OK) == 0 { return beside }
    guard let path = ProgramEvidence.find(name) else {
      throw AtRestError(
        .notFound, "There is no program atrest-agent beside atrest or on the PATH.",
        remedy: "Install it (make install-agent).")
    }
    return path
  }
}
