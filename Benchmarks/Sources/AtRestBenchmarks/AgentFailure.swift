/// Ends the run if the agent or a client of it does not do what is measured.
struct AgentFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
