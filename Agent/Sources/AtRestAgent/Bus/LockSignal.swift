import Foundation

/// The signals on which the agent locks the store.
enum LockSignal {
  /// A bus, with the rules by which it passes signals on.
  struct Source: Sendable {
    let address: String
    let rules: [String]
    /// True for the system's bus, on which systemd-logind is.
    var hasLogin = false
  }

  private static func rule(_ sender: String, _ interface: String, _ member: String) -> String {
    // The bus compares the sender, so another program cannot pretend to be it.
    "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
  }

  static let login = "org.freedesktop.login1"
  private static let screenSavers = ["org.gnome.ScreenSaver", "org.freedesktop.ScreenSaver"]

  /// The buses of the system and of the user's session.
  static func sources(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [Source] {
    let system = environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    let session =
      environment["DBUS_SESSION_BUS_ADDRESS"]
      ?? environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
    return [
      Source(
        address: system,
        rules: [
          rule(login, login + ".Manager", "PrepareForSleep"),
          rule(login, login + ".Session", "Lock"),
        ], hasLogin: true)
    ] + [session].compactMap { $0 }.map { Source(address: $0, rules: sessionRules) }
  }

  static let sessionRules = screenSavers.map { rule($0, $0, "ActiveChanged") }

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
    case (let interface, "ActiveChanged") where screenSavers.contains(interface):
      return message.flag == true ? "screen" : nil
    default: return nil
    }
  }
}
