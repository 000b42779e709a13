@_spi(Tools) import AtRestBus
import Foundation

/// The signals on which the agent locks the store.
enum LockSignal {
  /// A bus, with the names of the programs whose signals count.
  struct Source: Sendable {
    let address: String
    let names: [String]

    /// True for the system's bus, on which systemd-logind is.
    var hasLogin: Bool { names.contains(login) }
    /// The user whose bus it has to be, or nil for that of the system.
    var user: UInt32? { hasLogin ? nil : geteuid() }

    /// The rules by which the bus passes signals on. They do not keep others from sending messages to the
    /// agent, so ``BusConnection`` looks at the sender.
    var rules: [String] {
      names.flatMap { name -> [String] in
        [
          rule(BusConnection.bus, BusConnection.bus, "NameOwnerChanged") + ",arg0='\(name)'"
        ]
          + (name == login
            ? [
              rule(login, login + ".Manager", "PrepareForSleep"),
              rule(login, login + ".Session", "Lock"),
            ] : [rule(name, name, "ActiveChanged")])
      }
    }
  }

  private static func rule(_ sender: String, _ interface: String, _ member: String) -> String {
    "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
  }

  static let login = "org.freedesktop.login1"
  static let screenSavers = ["org.gnome.ScreenSaver", "org.freedesktop.ScreenSaver"]

  /// The buses of the system and of the user's session. The agent's own bus may be among them, and has no such signals.
  static func sources(
    session: SessionBusAddress,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [Source] {
    let system = environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    return [Source(address: system, names: [login])]
      + session.addresses.map { Source(address: $0, names: screenSavers) }
  }

  /// Returns the name of the program that may send a signal, or nil for other signals.
  static func name(of message: BusMessage) -> String? {
    switch (message.interface, message.member) {
    case (login + ".Manager", "PrepareForSleep"), (login + ".Session", "Lock"): login
    case (let interface?, "ActiveChanged") where screenSavers.contains(interface): interface
    default: nil
    }
  }

  /// Returns true if a signal is about one session.
  static func isOfSession(_ message: BusMessage) -> Bool {
    message.interface == login + ".Session" && message.member == "Lock"
  }

  /// Returns true if the machine has woken up.
  static func isWakeUp(_ message: BusMessage) -> Bool {
    message.kind == .signal && message.interface == login + ".Manager"
      && message.member == "PrepareForSleep" && message.flag == false
  }

  /// Returns the reason for a lock, or nil if a message does not ask for a lock.
  ///
  /// - Parameter session: The path of the agent's own session, or nil for any session.
  static func reason(_ message: BusMessage, session: String? = nil) -> String? {
    guard message.kind == .signal else { return nil }
    switch (message.interface, message.member) {
    case (login + ".Manager", "PrepareForSleep"): return message.flag == true ? "suspend" : nil
    case (login + ".Session", "Lock"):
      return session == nil || message.path == session ? "session" : nil
    case (let interface?, "ActiveChanged") where screenSavers.contains(interface):
      return message.flag == true ? "screen" : nil
    default: return nil
    }
  }
}
