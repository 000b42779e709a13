import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Dispatch

struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock the store in the agent, for all programs.",
    discussion: """
      Needs a running atrest-agent. Its keys are erased before this command ends, however many requests other \
      programs make. An agent that was stopped is waited for, for 17 seconds, and locks the store as soon as it \
      goes on.
      """)

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    // Another store than the expected one is not locked in either way.
    _ = try AgentAccess.identity(of: store)
    // Other programs can keep the agent's socket busy, but not this way.
    if AgentLock.lock(storeIn: store.storeFolder) { return }
    do {
      try Self.notingPatience { try lockOverSocket() }
    } catch let error as AtRestError where error.code == .system {
      throw AtRestError(
        .system,
        "\(error.message) The lock is not confirmed: the store may still be unlocked.",
        remedy: error.remedy, cause: error)
    }
  }

  private func lockOverSocket() throws {
    let agent = try AgentAccess.connect(store)
    try agent.send(.lock)
    if let status: AgentStatus = try? agent.document(.status), !status.hasPasscode {
      Output.note(
        "The store has no passcode: programs that do not use the agent can still open it.")
    }
  }

  /// Runs a closure, and says for what it waits if it takes long.
  private static func notingPatience(_ body: () throws -> Void) throws {
    let isDone = DispatchSemaphore(value: 0)
    let hasEnded = DispatchGroup()
    DispatchQueue.global(qos: .userInitiated).async(group: hasEnded) {
      guard isDone.wait(timeout: .now() + .milliseconds(300)) == .timedOut else { return }
      Output.note("The agent has not confirmed the lock. It is asked over its socket.")
    }
    defer {
      isDone.signal()
      hasEnded.wait()
    }
    try body()
  }
}
