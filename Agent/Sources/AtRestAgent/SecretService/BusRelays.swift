@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore
import Synchronization

/// Connects clients of the agent's own bus with the session's bus, each by a connection of its own.
///
/// The connection is made when the client says hello, because it needs its unique name then: other programs make paths of
/// that name, such as the portals for their requests, so it has to be the one that they see. A client that joins while
/// there is no session's bus has a name of the agent's bus, and keeps it. The agent decides which bus it is, and not the
/// client, who can name none in an address, and should not make the agent connect to any socket.
final class BusRelays: Sendable {
  /// The time in which the session's bus has to give a client its name.
  private static let secondsToJoin = 2
  /// The time in which a bus that did not is left alone. A client does not wait for it then.
  private static let secondsOfPause = 5
  private static let largestReply = 1 << 12

  private let address: SessionBusAddress
  /// The number that identifies the agent's own bus.
  private let guid: String
  private let group: any EventLoopGroup
  private let workers: Workers
  /// The connections, which take descriptors that other work needs too.
  private let places = Budget(most: 256, mostOfOne: 128)
  private let pauseEnd = Mutex<ContinuousClock.Instant?>(nil)

  init(_ address: SessionBusAddress, _ guid: String, _ server: AgentServer) {
    (self.address, self.guid) = (address, guid)
    (group, workers) = (server.group, server.workers)
  }

  /// Connects a client with the session's bus. Returns nil if there is none for it.
  ///
  /// A program in a sandbox has none: it would reach more than its sandbox lets through.
  ///
  /// - Parameters:
  ///   - serial: The number of the client's call of `Hello`, under which the bus gets it too.
  ///   - outbox: Gets what the bus sends to the client.
  func join(_ identity: PeerIdentity, serial: UInt32, _ outbox: Outbox) -> BusRelay? {
    let peer = identity.peer
    guard peer.user == geteuid(), Origin(peer) == .ownProgram,
      pauseEnd.withLock({ $0.map { $0 <= .now } ?? true }),
      let place = places.hold(1, for: identity.holder)
    else { return nil }
    do {
      let socket = try address.connect(
        otherThan: guid, seconds: Self.secondsToJoin, takesDescriptors: false)
      let name = try Self.hello(socket, serial: serial)
      let file = fcntl(socket.file, F_DUPFD_CLOEXEC, 0)
      guard file >= 0 else { throw BusSocket.failure }
      return try BusRelay(
        file, name: name, outbox, workers, for: identity.holder, place, on: group.next())
    } catch {
      if (error as? AtRestError)?.code != .notFound {
        pauseEnd.withLock { $0 = .now + .seconds(Self.secondsOfPause) }
      }
      return nil
    }
  }

  /// Calls `Hello`, and returns the unique name, which the bus says before anything else.
  private static func hello(_ socket: BusSocket, serial: UInt32) throws -> String {
    let call = BusMessage.call(
      "Hello", of: BusHub.bus, interface: BusHub.bus, [], serial: serial)
    try socket.send(call.encoded().withUnsafeBytes { Array($0) })
    let prefix = try socket.receivePrefix()
    guard prefix.size <= largestReply else { throw socket.fail() }
    let bytes = try prefix.bytes + socket.receive(prefix.size - prefix.bytes.count)
    let reply = try bytes.withUnsafeBytes { try BusMessage(decoding: $0) }
    guard reply.kind == .reply, reply.answered == serial, reply.sender == BusHub.bus,
      let name = reply.body.first?.string, isUniqueName(name), !BusHub.isOwn(name)
    else { throw socket.fail() }
    return name
  }

  private static func isUniqueName(_ name: String) -> Bool {
    name.hasPrefix(":") && BusNames.isValid("a" + name.dropFirst().replacing(".", with: ".a"))
  }
}
