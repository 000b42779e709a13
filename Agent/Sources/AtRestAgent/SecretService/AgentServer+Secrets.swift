import Synchronization

extension AgentServer {
  /// Listens for D-Bus, as a bus of its own on which the agent is the Secret Service.
  ///
  /// - Throws: The errors of opening the socket.
  package func listenForSecrets(_ listener: AgentListener) throws {
    // An agent that was killed left them.
    try? service.deleteSessionItems()
    let secrets = SecretService(service)
    try listen(listener, BusService(secrets: secrets))
    regularWork.add { secrets.announceLockState() }
    servesSecrets.store(true, ordering: .relaxed)
  }
}
