@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// Keeps the agent on the session's bus, as the Secret Service. A bus that is not there, or ends, is looked for again,
/// after a delay that grows.
final class SessionBus: Sendable {
  private let address: SessionBusAddress
  private let workshop: BusWorkshop
  private let name: BusName
  private let note: @Sendable (String) -> Void
  private let output = Mutex<BusOutput?>(nil)

  /// - Parameter note: Gets a text for the user.
  init(
    _ workshop: BusWorkshop, _ options: SessionBusOptions,
    note: @escaping @Sendable (String) -> Void
  ) {
    (self.workshop, address, self.note) = (workshop, options.address, note)
    name = BusName(options.name, replaces: options.replaces, note: note)
  }

  private var service: AgentService { workshop.secrets.service }

  /// Joins the bus on a thread of its own.
  func start() {
    if let leftOut = address.leftOut {
      note(
        "DBUS_SESSION_BUS_ADDRESS is left out, because its address has no path: \(leftOut.printable)"
      )
    }
    let thread = Thread { [self] in
      var delay = ReconnectDelay()
      while !service.isEnding {
        let start = ContinuousClock.now
        do {
          try follow()
        } catch let error as AtRestError {
          // Where there is no bus, nobody misses it.
          if error.code != .notFound || address.isGiven {
            name.tell("\(error.message) \(error.remedy)")
          }
        } catch {}
        let end = ContinuousClock.now + delay.next(after: .now - start)
        while !service.isEnding, .now < end { usleep(50_000) }
      }
    }
    thread.name = "session bus"
    thread.start()
  }

  /// Leaves the bus.
  func stop() { output.withLock { $0 }?.cut() }

  /// Connects to the bus, and serves it until the connection ends.
  ///
  /// - Throws: ``AtRestError`` if there is no bus, or when it ends.
  private func follow() throws {
    let hub = workshop.secrets.hub
    let socket = try address.connect(otherThan: hub.guid)
    let locks = service.lockCount
    let connection = locks.connection(on: socket.file)
    defer { locks.remove(connection) }
    let output = BusOutput(socket.file, connection)
    self.output.withLock { $0 = output }
    defer {
      self.output.withLock { $0 = nil }
      output.end()
    }
    if service.isEnding { return }
    let membership = BusMembership(workshop, name, output)
    workshop.secrets.sessionHub.withLock { $0 = membership }
    defer { workshop.secrets.sessionHub.withLock { $0 = nil } }
    try membership.serve(socket)
  }
}

/// The delays between attempts to join a bus: short after an outage, and longer while there is no bus.
struct ReconnectDelay {
  static let shortest = Duration.milliseconds(100)
  static let longest = Duration.seconds(5)

  private var delay = shortest

  /// Returns the delay before the next attempt.
  ///
  /// - Parameter time: The time that the last attempt took, with the connection that it made.
  mutating func next(after time: Duration) -> Duration {
    if time > Self.longest { delay = Self.shortest }
    defer { delay = min(delay * 2, Self.longest) }
    return delay
  }
}
