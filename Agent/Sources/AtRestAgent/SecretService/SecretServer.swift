import Foundation
import Synchronization

/// The Secret Service of an agent, on each bus on which it is one.
package struct SecretServer: Sendable {
  let server: AgentServer
  let secrets: SecretService

  /// Begins the Secret Service, which listens nowhere yet.
  ///
  /// - Throws: The errors of deleting the items of an agent that was killed, which would otherwise last longer than the
  ///   agent.
  package init(_ server: AgentServer) throws {
    let service = server.service
    self.server = server
    secrets = SecretService(service)
    try service.deleteSessionItems()
    server.whenStopped.withLock { $0.append { try? service.deleteSessionItems() } }
    // A thread of its own, because the names of collections are read from the disk, and an idle store has to be locked
    // in time.
    let thread = Thread { [secrets] in
      while !service.isEnding {
        sleep(1)
        secrets.announceLockState()
      }
    }
    thread.name = "announcements"
    thread.start()
  }

  /// Listens for D-Bus, as a bus of its own on which the agent is the Secret Service.
  ///
  /// - Parameter bus: The session's bus, to which calls of other programs are passed on, or nil for none.
  /// - Throws: The errors of opening the socket.
  package func listen(
    _ listener: AgentListener, passingOnTo bus: SessionBusAddress? = nil
  ) throws {
    // It is made now, because it would be missing for good if there were no descriptors for it later.
    if bus != nil { _ = Readiness.shared }
    let relays = bus.map {
      BusRelays(address: $0, guid: secrets.hub.guid, workers: server.workers)
    }
    try server.listen(listener, BusService(secrets: secrets, relays: relays))
  }
}
