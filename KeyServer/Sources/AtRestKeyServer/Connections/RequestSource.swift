import Foundation
import NIOCore

/// The source of a connection.
package struct RequestSource: Hashable, Sendable {
  /// The address, as it is logged.
  package let address: String
  /// The address that limits count: for IPv6 the first 64 bits, because a client commonly has all
  /// the addresses that begin with them.
  package let counted: String

  package init(_ address: SocketAddress?) {
    let text = address?.ipAddress ?? ""
    self.address = text
    var bytes = in6_addr()
    guard text.contains(":"), inet_pton(AF_INET6, text, &bytes) == 1 else {
      counted = text
      return
    }
    let all = withUnsafeBytes(of: bytes) { Array($0) }
    // An IPv4 address in IPv6 form is counted as a whole.
    let isIPv4 = all.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
    counted = all.prefix(isIPv4 ? 16 : 8).map { String($0, radix: 16) }.joined(separator: ".")
  }

  package static func == (one: RequestSource, other: RequestSource) -> Bool {
    one.counted == other.counted
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(counted) }
}
