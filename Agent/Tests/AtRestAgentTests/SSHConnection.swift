import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A connection of the ssh-agent protocol in this process, whose messages a test writes.
struct SSHConnection {
  let session: SSHSession

  init(_ service: AgentService, takesPasscode: Bool = false) {
    let peer = Peer(
      user: geteuid(), process: getpid(), evidence: [.init(.user, String(geteuid()))])
    session = SSHSession(
      SSHService(service: service, confirmation: .never, takesPasscode: takesPasscode),
      PeerIdentity(peer))
  }

  /// Returns the bytes of an answer.
  func answer(_ message: Data) -> [UInt8] {
    message.withUnsafeBytes { session.answer($0) }.bytes.bytes.withUnsafeBytes { Array($0) }
  }

  /// Returns the type of the answer to a message of a type with some strings.
  func answer(_ type: UInt8, _ strings: Data...) -> UInt8? {
    var writer = SSHWriter()
    writer.byte(type)
    for string in strings { writer.string(string) }
    return answer(writer.data).first
  }

  /// Binds the connection to a host. Returns true if the agent accepts it.
  ///
  /// - Parameter change: Changes the signature in the form of SSH.
  func bind(
    _ host: borrowing PrivateKey, isForwarding: Bool, change: (Data) -> Data = { $0 }
  ) throws -> Bool {
    let (key, session) = (try #require(SSHPublicKey(host.publicKey)), Data("session".utf8))
    let (scheme, name) = try key.scheme(flags: 2)
    let signature = try key.encoded(host.signature(for: session, scheme: scheme), name: name)
    return bind(key.blob, session, change(signature), isForwarding: isForwarding)
  }

  func bind(_ host: Data, _ session: Data, _ signature: Data, isForwarding: Bool) -> Bool {
    var writer = SSHWriter()
    writer.byte(27)
    writer.string("session-bind@openssh.com")
    for part in [host, session, signature] { writer.string(part) }
    writer.byte(isForwarding ? 1 : 0)
    return answer(writer.data) == [6]
  }

  /// The number of keys that are listed.
  func count() throws -> Int {
    let list = answer(Data([11]))
    try #require(list.count >= 5 && list[0] == 12)
    return list[1..<5].reduce(0) { $0 << 8 | Int($1) }
  }

  func signs(_ key: Data) -> Bool {
    var writer = SSHWriter()
    writer.byte(13)
    writer.string(key)
    writer.string("data")
    writer.integer(0)
    return answer(writer.data).first == 14
  }

  /// Adds a key of `ssh-add` to an agent, and returns its name.
  ///
  /// - Parameter check: Throws if the key may not be added.
  @discardableResult
  static func addKey(
    to service: AgentService, end: ContinuousClock.Instant? = nil, confirmed: Bool = false,
    if check: () throws -> Void = {}
  ) throws -> Data {
    let secret = SecretBytes.random(count: 32)
    let key = try PrivateKey(rawRepresentation: secret, algorithm: .ed25519)
    let publicKey = try #require(SSHPublicKey(key.publicKey))
    _ = try service.memoryKeys.add(
      .init(
        publicKey: publicKey, blob: publicKey.blob, comment: "added",
        secret: AgentSecret(secret.duplicate()), end: end, needsConfirmation: confirmed,
        destinations: []), if: check)
    return publicKey.blob
  }
}
