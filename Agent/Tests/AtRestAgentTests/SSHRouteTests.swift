import Crypto
import Foundation
import Testing

@testable import AtRestAgent

/// A host that has the user's connection cannot log in elsewhere with a key that has destinations.
struct SSHRouteTests {
  private static let key = Data("key".utf8)

  /// A host with its key.
  private struct Host {
    let key = Curve25519.Signing.PrivateKey()

    var blob: Data { Self.pair(key.publicKey.rawRepresentation) }

    func signature(of session: String) throws -> Data {
      Self.pair(try key.signature(for: Data(session.utf8)))
    }

    private static func pair(_ bytes: Data) -> Data {
      var writer = SSHWriter()
      writer.string("ssh-ed25519")
      writer.string(bytes)
      return writer.data
    }
  }

  private func destination(from: Data?, to: Data) throws -> Data {
    func hop(_ key: Data?) -> Data {
      var writer = SSHWriter()
      for text in ["", key == nil ? "" : "host", ""] { writer.string(text) }
      if let key {
        writer.string(key)
        writer.byte(0)
      }
      return writer.data
    }
    var inner = SSHWriter()
    inner.string(hop(from))
    inner.string(hop(to))
    inner.string("")
    var writer = SSHWriter()
    writer.string(inner.data)
    return writer.data
  }

  /// A request to sign a login.
  private func login(_ session: String, naming host: Host? = nil) -> Data {
    var writer = SSHWriter()
    writer.string(session)
    writer.byte(50)
    writer.string("eva")
    writer.string("ssh-connection")
    writer.string(host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
    writer.byte(1)
    writer.string("ssh-ed25519")
    writer.string(Self.key)
    if let host { writer.string(host.blob) }
    return writer.data
  }

  @Test func afterTheFirstHopTheLoginNamesItsHost() throws {
    let (first, second, third) = (Host(), Host(), Host())
    let bytes =
      try destination(from: nil, to: first.blob) + destination(from: first.blob, to: second.blob)
    let destinations = try bytes.withUnsafeBytes { try SSHDestination.all(in: $0) }
    // Control: the user's own ssh names the host of its login by the binding.
    var direct = SSHRoute()
    try direct.bind(
      host: first.blob, session: Data("one".utf8), signature: first.signature(of: "one"),
      isForwarding: false)
    #expect(direct.permitsSigning(destinations, login("one"), key: Self.key))

    var route = SSHRoute()
    try route.bind(
      host: first.blob, session: Data("one".utf8), signature: first.signature(of: "one"),
      isForwarding: true)
    // The first host binds the session of a third one to the second one's key, which it has.
    try route.bind(
      host: second.blob, session: Data("three".utf8), signature: second.signature(of: "three"),
      isForwarding: false)
    #expect(!route.permitsSigning(destinations, login("three"), key: Self.key))
    #expect(!route.permitsSigning(destinations, login("three", naming: third), key: Self.key))
    // Control: a login that names the host that it was bound to.
    #expect(route.permitsSigning(destinations, login("three", naming: second), key: Self.key))
  }
}
