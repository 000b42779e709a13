import Foundation

/// Locks the store when the system says that the user is away: before suspend, with the session, and
/// with the screen.
public enum LockSignals {
  private static let secondsBetweenAttempts: UInt32 = 5

  /// Watches the buses of the system and of the session, each on a thread of its own. A bus that is
  /// not there is looked for again every five seconds.
  public static func watch(for service: AgentService) {
    for source in LockSignal.sources() {
      Thread.detachNewThread {
        while true {
          if let bus = try? BusConnection(source) { follow(bus, service) }
          sleep(secondsBetweenAttempts)
        }
      }
    }
  }

  /// Locks the store for each signal, until the connection ends.
  static func follow(_ bus: BusConnection, _ service: AgentService) {
    while let message = try? bus.next() {
      if let reason = LockSignal.reason(message) { service.lock(because: reason) }
    }
  }
}
