import Synchronization

extension AgentServer {
  /// Listens for D-Bus, as a bus of its own on which the agent is the Secret Service.
  ///
  /// - Throws: The errors of opening the socket.
  package func listenForSecrets(_ listener: AgentListener) throws {
    // An agent that was killed left them.
    try? service.deleteSessionItems()
    try listen(listener, BusService(secrets: SecretService(service)))
    servesSecrets.store(true, ordering: .relaxed)
  }
}
