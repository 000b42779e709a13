import AtRestKeychain
import AtRestCrypto
import Foundation
import Synchronization

/// The ssh-agent protocol.
struct SSHService: FrameService {
  let service: AgentService
  let confirmation: Prompt
  var largest: Int { SSHRequest.largest }

  func makeSession(_ peer: Peer) -> any FrameSession { SSHSession(self, peer) }
}

/// A connection of the ssh-agent protocol.
final class SSHSession: FrameSession {
  /// The hosts to which the connection leads, as far as clients have bound it.
  private struct Binding {
    var hosts: [String] = []
    var sessions: [Data] = []
    var isForwarded = false
  }

  private static let mostHosts = 16
  private static let failure: [UInt8] = [5]
  private static let success: [UInt8] = [6]

  private let ssh: SSHService
  private let peer: Peer
  private let binding = Mutex(Binding())

  init(_ ssh: SSHService, _ peer: Peer) {
    self.ssh = ssh
    self.peer = peer
  }

  func work(for request: UnsafeRawBufferPointer) -> FrameWork { .usual }

  func refusal(_ error: any Error) -> AgentSecret? {
    _ = ssh.service.refusal(error, to: peer)
    return AgentSecret(SecretBytes(Self.failure))
  }

  func answer(_ request: UnsafeRawBufferPointer) -> AgentSecret {
    do {
      let answer = try carryOut(SSHRequest(decoding: request))
      return AgentSecret(SecretBytes(answer))
    } catch {
      // The protocol has no form for a reason. The log has it.
      return AgentSecret(SecretBytes(Self.failure))
    }
  }

  private func carryOut(_ request: SSHRequest) throws -> Data {
    let service = ssh.service
    try service.checkUser(of: peer)
    switch request {
    case .identities:
      var writer = SSHWriter()
      writer.byte(12)
      let memory = ssh.service.memoryKeys.all().map { ($0.publicKey.blob, $0.comment) }
      let all = try service.sshKeys().map { ($0.publicKey.blob, $0.tag) } + memory
      writer.integer(UInt32(all.count))
      for (blob, comment) in all {
        writer.string(blob)
        writer.string(comment)
      }
      return writer.data
    case .sign(let blob, let data, let flags):
      var subject = SSHPublicKey.fingerprint(of: blob)
      let hosts = binding.withLock { $0.hosts }
      if !hosts.isEmpty { subject += " for " + hosts.joined(separator: ", ") }
      let signature = try service.recording("ssh-sign", subject, peer) {
        try sign(data, blob: blob, flags: flags, subject)
      }
      var writer = SSHWriter()
      writer.byte(14)
      writer.string(signature)
      return writer.data
    case .add(let key):
      return try service.recording("ssh-add", key.publicKey.fingerprint, peer) {
        try service.checkSSHGrant(peer, writing: true, "to add a key for SSH")
        guard service.isUnlocked else {
          throw AtRestError(
            .locked, "The store is locked.", remedy: "Unlock it with atrest unlock.")
        }
        return Data(ssh.service.memoryKeys.add(key) ? Self.success : Self.failure)
      }
    case .remove(let blob):
      return try service.recording("ssh-remove", SSHPublicKey.fingerprint(of: blob), peer) {
        Data(ssh.service.memoryKeys.remove(blob) ? Self.success : Self.failure)
      }
    case .removeAll:
      return try service.recording("ssh-remove", "all", peer) {
        ssh.service.memoryKeys.removeAll()
        return Data(Self.success)
      }
    case .bind(let hostKey, let session, let signature, let isForwarded):
      return try bind(hostKey, session, signature, isForwarded)
    case .other: return Data(Self.failure)
    }
  }

  private func sign(_ data: Data, blob: Data, flags: UInt32, _ subject: String) throws -> Data {
    try ssh.service.checkSSHGrant(peer, writing: false, "to sign with \(subject)")
    guard !binding.withLock({ $0.isForwarded }) else {
      throw AtRestError(
        .notPermitted, "The keys are not used over a forwarded connection.",
        remedy: "Use ProxyJump in place of agent forwarding.")
    }
    if let key = ssh.service.memoryKeys.all().first(where: { $0.publicKey.blob == blob }) {
      if key.needsConfirmation {
        try ssh.service.questioner.confirm(
          "Allow the use of the key \(Question.shown(key.comment)) (\(subject))?",
          by: ssh.confirmation)
      }
      let (scheme, name) = try key.publicKey.scheme(flags: flags)
      let privateKey = try PrivateKey(
        rawRepresentation: key.secret.bytes, algorithm: key.publicKey.key.algorithm)
      return try key.publicKey.encoded(
        privateKey.signature(for: data, scheme: scheme), name: name)
    }
    return try ssh.service.sshSign(data, blob: blob, flags: flags)
  }

  /// Records the host of a connection, after checking its signature of the session's identifier.
  private func bind(
    _ hostKey: Data, _ session: Data, _ signature: Data, _ isForwarded: Bool
  ) throws -> Data {
    // The signature of other kinds of host keys cannot be checked, so their name is not shown.
    let isKnown = try hostKey.withUnsafeBytes { blob in
      guard let key = try SSHPublicKey(blob: blob) else { return false }
      guard try signature.withUnsafeBytes({ try key.isValid($0, for: session) }) else {
        throw SSHReader.malformed
      }
      return true
    }
    return try binding.withLock { binding in
      // After a connection was bound for a login, it cannot be bound again.
      guard binding.hosts.count < Self.mostHosts, !binding.sessions.contains(session),
        binding.sessions.isEmpty || binding.isForwarded
      else { throw SSHReader.malformed }
      binding.sessions.append(session)
      binding.hosts.append(isKnown ? SSHPublicKey.fingerprint(of: hostKey) : "a host")
      binding.isForwarded = binding.isForwarded || isForwarded
      return Data(Self.success)
    }
  }
}
