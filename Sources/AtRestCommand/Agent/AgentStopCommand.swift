import ArgumentParser
import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

struct AgentStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Lock the store in the agent, and end the agent.",
    discussion: """
      Where systemd listens at the agent's socket, the next program that needs the agent starts it \
      again, and it is locked then.
      """)

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let agent = try AgentAccess.connect(store)
    let status: AgentStatus = try agent.document(.status)
    guard status.process > 1, kill(status.process, SIGTERM) == 0 else {
      throw AtRestError(
        .system, "Could not end the agent, process \(status.process).",
        remedy: "End it with kill.")
    }
    let end = ContinuousClock.now + .seconds(20)
    while Self.isRunning(status.process) {
      guard ContinuousClock.now < end else {
        throw AtRestError(
          .system, "The agent, process \(status.process), does not end.",
          remedy: "The store is locked. End the process with kill -9.")
      }
      usleep(10_000)
    }
  }

  /// Returns false for a process that has ended, also if its parent has not noticed yet.
  private static func isRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return state?.contains(") Z ") != true
  }
}
