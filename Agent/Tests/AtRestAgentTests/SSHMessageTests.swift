import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The bytes of the ssh-agent protocol.
struct SSHMessageTests {
  private func bind(
    _ host: borrowing PrivateKey, session: Data, isForwarded: Bool, signing message: Data? = nil
  ) throws -> Data {
    let key = try #require(SSHPublicKey(host.publicKey))
    var writer = SSHWriter()
    writer.byte(27)
    writer.string("session-bind@openssh.com")
    writer.string(key.blob)
    writer.string(session)
    let (scheme, name) = try key.scheme(flags: 2)
    let signature = try host.signature(for: message ?? session, scheme: scheme)
    writer.string(try key.encoded(signature, name: name))
    writer.byte(isForwarded ? 1 : 0)
    return writer.data
  }

  private func answer(_ session: SSHSession, _ message: Data) -> [UInt8] {
    message.withUnsafeBytes { session.answer($0) }.bytes.bytes.withUnsafeBytes { Array($0) }
  }

  @Test(arguments: [KeyAlgorithm.ed25519, .p256, .p384, .rsa2048])
  func aForwardedConnectionDoesNotSign(_ algorithm: KeyAlgorithm) throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("ssh", mayWrite: true)
    let ssh = SSHService(service: run.service, confirmation: .never)
    let peer = Peer(
      user: geteuid(), process: getpid(), evidence: [.init(.user, String(geteuid()))])
    let secret = SecretBytes.random(count: 32)
    let key = try PrivateKey(rawRepresentation: secret, algorithm: .ed25519)
    let publicKey = try #require(SSHPublicKey(key.publicKey))
    _ = run.service.memoryKeys.add(
      .init(
        publicKey: publicKey, blob: publicKey.blob, comment: "",
        secret: AgentSecret(secret.duplicate()), end: nil, needsConfirmation: false,
        destinations: []))
    var writer = SSHWriter()
    writer.byte(13)
    writer.string(publicKey.blob)
    writer.string("data")
    writer.integer(0)
    let sign = writer.data
    let host = try PrivateKey.generate(algorithm)
    let id = Data("session".utf8)

    let login = SSHSession(ssh, PeerIdentity(peer))
    #expect(answer(login, try bind(host, session: id, isForwarded: false)) == [6])
    #expect(answer(login, sign).first == 14)
    // A connection that is bound for a login is not bound again.
    #expect(answer(login, try bind(host, session: Data([1]), isForwarded: true)) == [5])

    let forwarded = SSHSession(ssh, PeerIdentity(peer))
    #expect(answer(forwarded, try bind(host, session: id, isForwarded: true)) == [6])
    #expect(answer(forwarded, sign) == [5])
    // A signature of something else binds nothing.
    let other = SSHSession(ssh, PeerIdentity(peer))
    let forged = try bind(host, session: id, isForwarded: false, signing: Data("x".utf8))
    #expect(answer(other, forged) == [5])
  }

  /// Cut and changed messages are refused, or mean something else; none of them does harm.
  @Test func otherBytesDoNoHarm() throws {
    let host = try PrivateKey.generate(.p256)
    var messages = [try bind(host, session: Data("s".utf8), isForwarded: false)]
    var writer = SSHWriter()
    writer.byte(25)
    writer.string("ssh-ed25519")
    let secret = SecretBytes.random(count: 32)
    let key = try PrivateKey(rawRepresentation: secret, algorithm: .ed25519)
    let raw = try key.publicKey.rawRepresentation()
    writer.string(raw)
    writer.string(Data(copying: secret) + raw)
    writer.string("comment")
    writer.byte(1)
    writer.integer(60)
    writer.byte(2)
    // A constraint that is not known is not ignored.
    var unknown = writer
    unknown.byte(255)
    unknown.string("other@example.org")
    guard case .other = try unknown.data.withUnsafeBytes(SSHRequest.init(decoding:)) else {
      Issue.record("A key with an unknown constraint was accepted.")
      return
    }
    messages.append(writer.data)
    guard case .add(let added) = try messages[1].withUnsafeBytes(SSHRequest.init(decoding:)) else {
      Issue.record("The key was not read.")
      return
    }
    #expect(added.needsConfirmation && added.end != nil && added.comment == "comment")
    for message in messages {
      for count in 0..<message.count {
        do { _ = try message[..<count].withUnsafeBytes(SSHRequest.init(decoding:)) } catch {
          #expect(error is AtRestError)
        }
      }
      for index in message.indices {
        for value in [UInt8(0), 1, 0xFF] {
          var changed = message
          changed[index] = value
          do { _ = try changed.withUnsafeBytes(SSHRequest.init(decoding:)) } catch {
            #expect(error is AtRestError)
          }
        }
      }
    }
  }
}
