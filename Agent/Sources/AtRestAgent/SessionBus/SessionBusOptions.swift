import AtRestCrypto
import Foundation

/// The settings of the agent on the session's bus.
package struct SessionBusOptions: Sendable {
  package let address: SessionBusAddress
  /// The name of the Secret Service.
  let name: String
  /// True to take the name from another keyring.
  let replaces: Bool

  /// The values of `--bus` for no bus, and for that of the environment.
  package static let noBus = "none"
  package static let busOfEnvironment = "session"

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - bus: The address of the bus, or ``busOfEnvironment``.
  ///   - replaces: True to take the name from another keyring.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the address has no path, or if `SECRET_SERVICE_BUS_NAME` is not
  ///   the name of a program.
  package init(
    bus: String, replaces: Bool,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    address = try SessionBusAddress(
      bus == Self.busOfEnvironment ? nil : bus, environment: environment)
    self.replaces = replaces
    name =
      environment["SECRET_SERVICE_BUS_NAME"].flatMap { $0.isEmpty ? nil : $0 } ?? BusHub.service
    guard BusNames.isValid(name), name != BusHub.bus else {
      throw AtRestError(
        .invalidArgument, "A program cannot have the name in SECRET_SERVICE_BUS_NAME.",
        remedy: "Unset the variable, or use a name such as org.example.secrets.")
    }
  }
}
