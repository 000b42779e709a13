import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// The address of the bus on which the agent is the Secret Service.
enum SecretServiceAddress {
  /// The variable in which programs look for their session bus.
  static let variable = "DBUS_SESSION_BUS_ADDRESS"

  /// Returns the address of the bus of the agent with a socket.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the agent has none.
  static func address(beside socket: String) throws -> String {
    let path = AgentPlace.secretServiceSocket(beside: socket)
    guard SystemPath.with(path, { access($0, F_OK) }) == 0 else {
      throw AtRestError(
        .notFound, "The agent at \(socket) has no socket for the Secret Service.",
        remedy: "Start it again: atrest agent stop && atrest agent start.")
    }
    return "unix:path=" + SystemPath.bytes(path).map(escaped).joined()
  }

  /// Returns a byte of a value in an address (D-Bus Specification 0.43, *Server Addresses*).
  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "/"), UInt8(ascii: "."):
      String(UnicodeScalar(byte))
    default: "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }
}
