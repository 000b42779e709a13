@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
import Foundation

/// The places where the session's bus is looked for.
package struct SessionBusAddress: Sendable {
  /// The addresses, the first one first.
  let addresses: [String]
  /// True if the user named the bus.
  let isGiven: Bool
  /// The address in the environment that has no path, and is left out.
  let leftOut: String?

  /// - Parameter given: The address that the user named, or nil for that of the environment: `DBUS_SESSION_BUS_ADDRESS`,
  ///   or the bus in `XDG_RUNTIME_DIR`, also if the variable has the address of the agent's own bus.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the address has no path.
  package init(
    _ given: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    isGiven = given != nil
    if let given {
      guard BusAddress.path(given) != nil else {
        throw AtRestError(
          .invalidArgument, "The address of the bus, \(given.printable), has no path.",
          remedy: "Name one, such as unix:path=/run/user/1000/bus, or none.")
      }
      (addresses, leftOut) = ([given], nil)
      return
    }
    let standard = environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
    var paths = Set<String>()
    let variable = environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
    leftOut = variable.flatMap { BusAddress.path($0) == nil ? $0 : nil }
    addresses = [variable, standard].compactMap { $0 }.filter {
      BusAddress.path($0).map { paths.insert($0).inserted } ?? false
    }
  }

  /// Connects to the first bus that is there, is this user's, and is not the agent's own.
  ///
  /// - Parameters:
  ///   - own: The number that identifies the agent's own bus.
  ///   - seconds: The seconds until which bytes have to arrive, until ``BusSocket/end`` is changed.
  ///   - takesDescriptors: True to get descriptors from a bus that passes them on.
  /// - Throws: ``AtRestError/Code/notFound`` if no bus but the agent's own is there; ``AtRestError/Code/system`` if a bus does not
  ///   keep to the protocol.
  func connect(
    otherThan own: String, seconds: Int = 10, takesDescriptors: Bool = true
  ) throws -> BusSocket {
    var refusal = AtRestError(
      .notFound, "There is no other bus than the agent's own.", remedy: "Start a session's bus.")
    for address in addresses {
      do {
        let socket = try BusSocket(
          to: address, seconds: seconds, of: geteuid(), takesDescriptors: takesDescriptors)
        if socket.guid != own { return socket }
      } catch let error as AtRestError {
        // That a bus does not answer says more than that another one is not there.
        if refusal.code == .notFound { refusal = error }
      }
    }
    throw refusal
  }
}
