@_spi(Tools) import AtRestBus
import AtRestCrypto
import Foundation

/// Locks the store when the system says that the user is away: before suspend, with the session, and
/// with the screen.
package enum LockSignals {
  private static let secondsBetweenAttempts: UInt32 = 5

  /// Watches the buses of the system and of the session, each on a thread of its own. A bus that is
  /// not there is looked for again every five seconds.
  ///
  /// - Parameters:
  ///   - session: The places of the session's bus.
  ///   - note: Gets a text for the user if the system does not wait for the lock before suspend.
  package static func watch(
    for service: AgentService, session: SessionBusAddress,
    note: @escaping @Sendable (String) -> Void
  ) {
    for source in LockSignal.sources(session: session) {
      Thread.detachNewThread {
        while true {
          follow(source, service, note: note)
          sleep(secondsBetweenAttempts)
        }
      }
    }
  }

  /// Connects to a bus, and locks the store for each signal, until the connection ends.
  ///
  /// Signals from before are lost, so the state is read first, and again when another program takes over
  /// a name.
  static func follow(
    _ source: LockSignal.Source, _ service: AgentService,
    environment: [String: String] = ProcessInfo.processInfo.environment, note: (String) -> Void
  ) {
    guard let bus = try? BusConnection(source) else { return }
    let session = source.hasLogin ? session(bus, environment) : nil
    bus.session = session
    var delay = source.hasLogin ? SleepDelay(bus) : nil
    if source.hasLogin, delay == nil {
      note("The system does not wait for the lock of the store before it suspends.")
    }
    for name in source.names { lockIfAway(name, bus, session, service) }
    while let event = try? bus.next() {
      switch event {
      case .newOwner(let name):
        if name == LockSignal.login { delay = SleepDelay(bus) }
        lockIfAway(name, bus, session, service)
      case .signal(let message):
        let reason = LockSignal.reason(message, session: session)
        if session == nil, LockSignal.isOfSession(message), isOfAnotherUser(message.path ?? "", bus)
        {
          continue
        }
        if let reason { service.lock(because: reason) }
        if reason == "suspend" { delay = nil }
        if LockSignal.isWakeUp(message), delay == nil { delay = SleepDelay(bus) }
      }
    }
  }

  /// Locks the store if the user is away according to the program with a name.
  private static func lockIfAway(
    _ name: String, _ bus: BusConnection, _ session: String?, _ service: AgentService
  ) {
    guard bus.hasOwner(name) else { return }
    guard name == LockSignal.login else {
      let answer = try? bus.call("GetActive", of: name, interface: name)
      if answer?.flag == true { service.lock(because: "screen") }
      return
    }
    let manager = name + ".Manager"
    if bus.property("PreparingForSleep", of: name, interface: manager)?.flag == true {
      service.lock(because: "suspend")
    }
    guard let session = session ?? display(bus) else { return }
    let hint = bus.property(
      "LockedHint", of: name, path: session, interface: name + ".Session")
    if hint?.flag == true { service.lock(because: "session") }
  }

  /// Returns the path of the user's session with a screen.
  private static func display(_ bus: BusConnection) -> String? {
    let (name, interface) = (LockSignal.login, LockSignal.login + ".Manager")
    let user = try? bus.call("GetUser", of: name, interface: interface, .uint32(geteuid()))
    guard let path = user?.text else { return nil }
    let display = bus.property("Display", of: name, path: path, interface: name + ".User")
    return display?.texts.last
  }

  /// Returns true if a session belongs to another user, or has ended. If systemd-logind does not say whose it
  /// is, it may be this user's.
  private static func isOfAnotherUser(_ session: String, _ bus: BusConnection) -> Bool {
    do {
      let owner = try bus.call(
        "Get", of: LockSignal.login, path: session,
        interface: BusConnection.bus + ".Properties", .text(LockSignal.login + ".Session"),
        .text("User"))
      return owner.number.map { $0 != geteuid() } ?? false
    } catch {
      return (error as? AtRestError)?.code == .notFound
    }
  }

  /// Returns the path of the session to which this process belongs, or nil if it belongs to none, as
  /// a service of the user's manager does.
  private static func session(_ bus: BusConnection, _ environment: [String: String]) -> String? {
    let (name, interface) = (LockSignal.login, LockSignal.login + ".Manager")
    if let id = environment["XDG_SESSION_ID"],
      let reply = try? bus.call("GetSession", of: name, interface: interface, .text(id))
    {
      return reply.text
    }
    return try? bus.call(
      "GetSessionByPID", of: name, interface: interface, .uint32(UInt32(getpid()))
    ).text
  }
}
