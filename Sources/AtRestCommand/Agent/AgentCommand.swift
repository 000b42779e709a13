import ArgumentParser

struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Start and stop the agent, and show its state.",
    discussion: """
      Where systemd starts the agent for its socket, it needs no start. Without a subcommand, the \
      state is shown.

      EXAMPLES
        atrest agent start --idle 900
        atrest agent
        atrest agent status --json
        atrest agent stop
      """,
    subcommands: [AgentStatusCommand.self, AgentStartCommand.self, AgentStopCommand.self],
    defaultSubcommand: AgentStatusCommand.self)
}
