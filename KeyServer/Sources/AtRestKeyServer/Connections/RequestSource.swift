import Foundation
import NIOCore

/// The source of a connection.
package struct RequestSource: Sendable {
  /// A network that limits count.
  package struct Network: Hashable, Sendable {
    /// The bits of an address that begin all addresses of the network.
    package let prefix: String
    /// How many times as much as an address the network may do.
    package let share: Int
  }

  /// The address, as it is logged.
  package let address: String
  /// The networks of the address, the smallest first. An IPv4 address is one. Of IPv6, a client commonly has all
  /// addresses that begin with the same 64 bits, and a home or a rented machine those with the same 56 or 48.
  package let networks: [Network]

  package init(_ address: SocketAddress?) {
    let text = address?.ipAddress ?? ""
    self.address = text
    var bytes = in6_addr()
    guard text.contains(":"), inet_pton(AF_INET6, text, &bytes) == 1 else {
      networks = [Network(prefix: text, share: 1)]
      return
    }
    let all = withUnsafeBytes(of: bytes) { Array($0) }
    func network(_ count: Int, _ share: Int) -> Network {
      Network(
        prefix: all.prefix(count).map { String($0, radix: 16) }.joined(separator: "."), share: share
      )
    }
    // An IPv4 address in IPv6 form is counted as a whole.
    let isIPv4 = all.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
    networks = isIPv4 ? [network(16, 1)] : [network(8, 1), network(7, 2), network(6, 4)]
  }
}
