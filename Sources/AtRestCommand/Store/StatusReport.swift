import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import AtRestRuntime
import Foundation

/// The output of `atrest status`, in the form of its JSON.
struct StatusReport: Encodable {
  /// The result of a verification.
  struct Verification: Encodable {
    let items: Int
    let locked: Int
    let problems: [String]
  }

  /// The agent that serves the store.
  struct Agent: Encodable {
    let socket: String
    let process: Int32
    let lockState: String
    /// The time of the last lock or unlock, or of the agent's start.
    let since: Date
  }

  let store: String
  let identity: String
  let device: String
  /// The state in the agent. Without an agent, that in this process.
  let lockState: String
  let hasPasscode: Bool
  let kdf: String
  let failedAttempts: Int
  let attemptLimit: Int
  let items: Int
  let verification: Verification?
  let agent: Agent?
  let risks: [StoreRisk]

  init(
    _ keychain: Keychain, _ options: StoreOptions, verification report: VerificationReport?
  ) throws {
    let keybag = keychain.keybag
    store = options.storeFolder.path
    identity = keybag.identity.text
    device = options.deviceFolder.path
    hasPasscode = keybag.hasPasscode
    kdf = keybag.kdf.description
    failedAttempts = try keybag.failedAttempts()
    attemptLimit = keybag.attemptLimit
    items = try keychain.count()
    verification = report.map {
      Verification(
        items: $0.itemCount, locked: $0.lockedCount, problems: $0.problems.map(\.message))
    }
    agent = Self.agent(options)
    lockState = agent?.lockState ?? keybag.lockState.rawValue
    risks = DeviceRisks.list(of: keychain)
  }

  /// Returns the state of the agent, or nil if no agent serves the store or it does not answer.
  private static func agent(_ options: StoreOptions) -> Agent? {
    guard let agent = try? AgentAccess.connectIfPresent(options),
      let status = try? agent.document(.status, as: AgentStatus.self)
    else { return nil }
    return Agent(
      socket: agent.path, process: status.process,
      lockState: status.state, since: status.since)
  }

  /// The report as text.
  var text: String {
    var lines = [
      "Store:      \(store)", "Identity:   \(identity)", "Device key: \(device)",
      "Passcode:   \(hasPasscode ? "set, \(kdf)" : "none")",
      "Lock state: \(lockState)",
      "Items:      \(items)",
    ]
    if failedAttempts > 0 || attemptLimit > 0 {
      let limit = attemptLimit > 0 ? " of \(attemptLimit), then the store is wiped" : ""
      lines.append("Wrong passcodes: \(failedAttempts)\(limit)")
    }
    if let verification {
      let locked = verification.locked > 0 ? ", \(verification.locked) of them locked" : ""
      let result =
        verification.problems.isEmpty
        ? "as written" : "\(verification.problems.count) problems"
      lines.append("Verified:   \(verification.items) items\(locked): \(result)")
      lines += verification.problems.map { "  - \($0)" }
    }
    if let agent {
      lines.append(
        "Agent:      \(agent.lockState) since \(agent.since.formatted(.iso8601)), \(agent.socket)")
    } else if hasPasscode {
      lines += [
        "Agent:      none. Each command needs the passcode, and derives the key from it anew.",
        "            With an agent, that is done once: atrest agent start",
      ]
    }
    for risk in risks { lines += ["Risk:       \(risk.message)", "            \(risk.remedy)"] }
    return lines.map { Output.printable($0) + "\n" }.joined()
  }

  /// Tells the user which protections the store lacks.
  static func note(risks: [StoreRisk]) {
    for risk in risks {
      Output.plainNote("Risk: \(risk.message)")
      Output.plainNote("      \(risk.remedy)")
    }
  }
}
