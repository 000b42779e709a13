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
  private static let failure: [UInt8] = [5]
  private static let success: [UInt8] = [6]

  private let ssh: SSHService
  private let peer: Peer
  private let route = Mutex(SSHRoute())

  init(_ ssh: SSHService, _ peer: Peer) {
    self.ssh = ssh
    self.peer = peer
  }

  func work(for request: UnsafeRawBufferPointer) -> FrameWork {
    request.first == SSHRequest.unlockType ? .slow : .usual
  }

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
      let route = route.withLock { $0 }
      let memory = service.memoryKeys.all().filter { key in
        route.permitsListing(key.destinations) && (!route.isForwarded || !key.destinations.isEmpty)
      }
      let all =
        try service.sshKeys().filter { !route.isForwarded || $0.isForwardable }
        .map { ($0.publicKey.blob, $0.tag) } + memory.map { ($0.blob, $0.comment) }
      writer.integer(UInt32(all.count))
      for (blob, comment) in all {
        writer.string(blob)
        writer.string(comment)
      }
      return writer.data
    case .sign(let blob, let data, let flags):
      var subject = SSHPublicKey.fingerprint(of: blob)
      let hosts = route.withLock { $0.names }
      if !hosts.isEmpty { subject += " for " + hosts.joined(separator: ", ") }
      let signature = try service.recording("ssh-sign", subject, peer) {
        try sign(data, blob: blob, flags: flags, subject)
      }
      var writer = SSHWriter()
      writer.byte(14)
      writer.string(signature)
      return writer.data
    case .add(let key):
      return try service.recording("ssh-add", SSHPublicKey.fingerprint(of: key.blob), peer) {
        try service.checkSSHGrant(
          peer, writing: true, group: SSHKeyBook.group, "to add a key for SSH")
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
    case .lock:
      _ = service.answer(.lock, to: peer)
      return Data(Self.success)
    case .unlock(let passcode):
      if case .refused(let error) = service.answer(.unlock(passcode: passcode), to: peer) {
        throw error
      }
      return Data(Self.success)
    case .bind(let host, let session, let signature, let isForwarding):
      try route.withLock {
        try $0.bind(
          host: host, session: session, signature: signature, isForwarding: isForwarding)
      }
      return Data(Self.success)
    case .other(let request):
      try service.record(
        "ssh-other", request, peer, answer: AtRestError.Code.invalidArgument.rawValue)
      return Data(Self.failure)
    }
  }

  private func sign(_ data: Data, blob: Data, flags: UInt32, _ subject: String) throws -> Data {
    let service = ssh.service
    let route = route.withLock { $0 }
    guard let key = service.memoryKeys.all().first(where: { $0.blob == blob }) else {
      let key = try service.sshKey(blob)
      guard !route.isForwarded || key.isForwardable else { throw Self.isForwarded }
      try service.checkSSHGrant(peer, writing: false, group: key.group, "to sign with \(subject)")
      return try service.sshSign(data, with: key, flags: flags)
    }
    guard !route.isForwarded || !key.destinations.isEmpty else { throw Self.isForwarded }
    guard route.permitsSigning(key.destinations, data, key: blob) else {
      throw AtRestError(
        .notPermitted, "The key was added for other destinations.",
        remedy: "Add it with ssh-add -h for this one.")
    }
    try service.checkSSHGrant(
      peer, writing: false, group: SSHKeyBook.group, "to sign with \(subject)")
    if key.needsConfirmation {
      try service.questioner.confirm(
        "Allow the use of the key \(Question.shown(key.comment)) (\(subject))?",
        by: ssh.confirmation)
    }
    return try key.signature(for: data, flags: flags)
  }

  private static let isForwarded = AtRestError(
    .notPermitted, "The key is not for forwarded connections.",
    remedy: "Use ProxyJump, or a key in the access group \(SSHKeyBook.forwardableGroup).")
}
