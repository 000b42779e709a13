import Foundation
import Synchronization

extension AgentServer {
  /// Listens for D-Bus, as a bus of its own on which the agent is the Secret Service.
  ///
  /// - Throws: The errors of opening the socket; those of deleting the items of an agent that was killed, which would
  ///   otherwise last longer than the agent.
  package func listenForSecrets(_ listener: AgentListener) throws {
    try service.deleteSessionItems()
    let (service, secrets) = (service, SecretService(service))
    try listen(listener, BusService(secrets: secrets))
    servesSecrets.store(true, ordering: .relaxed)
    // A thread of its own, because the names of collections are read from the disk, and an idle store has to be locked
    // in time.
    let thread = Thread {
      while !service.isEnding {
        sleep(1)
        secrets.announceLockState()
      }
    }
    thread.name = "announcements"
    thread.start()
  }
}
