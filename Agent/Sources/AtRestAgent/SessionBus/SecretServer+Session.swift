import Synchronization

extension SecretServer {
  /// Joins the session's bus as the Secret Service, now or when there is one.
  ///
  /// - Parameter note: Gets a text for the user.
  package func join(_ options: SessionBusOptions, note: @escaping @Sendable (String) -> Void) {
    let workshop = BusWorkshop(
      secrets: secrets, workers: server.workers, shares: server.shares, loop: server.group.next(),
      judge: server.judge)
    let bus = SessionBus(workshop, options, note: note)
    server.whenStopped.withLock { $0.append { bus.stop() } }
    bus.start()
  }
}
