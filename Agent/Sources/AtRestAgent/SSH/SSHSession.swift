import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The ssh-agent protocol.
struct SSHService: FrameService {
  let service: AgentService
  let confirmation: Prompt
  /// True to take the store's passcode over this protocol.
  var takesPasscode = false

  func makeSession(_ identity: PeerIdentity) -> any FrameSession { SSHSession(self, identity) }

  func refusal(_ error: AtRestError) -> AgentSecret { AgentSecret(SecretBytes([5] as [UInt8])) }
}

/// A connection of the ssh-agent protocol.
final class SSHSession: FrameSession {
  private static let failure: [UInt8] = [5]
  private static let success: [UInt8] = [6]

  private let ssh: SSHService
  private let identity: PeerIdentity
  private let route = Mutex(SSHRoute())

  init(_ ssh: SSHService, _ identity: PeerIdentity) {
    self.ssh = ssh
    self.identity = identity
  }

  private var service: AgentService { ssh.service }

  func size(of bytes: UnsafeRawBufferPointer) throws -> FrameSize? {
    try Frame.size(of: bytes, largest: SSHRequest.largest)
  }

  func work(for request: UnsafeRawBufferPointer) -> FrameWork {
    switch request.first {
    case SSHRequest.lockType: .lock
    case SSHRequest.unlockType: .slow
    default: .usual
    }
  }

  func refusal(_ error: any Error) -> AgentSecret? {
    _ = service.refusal(error, to: identity.peer)
    return withheld()
  }

  func overload(_ error: AtRestError) -> AgentSecret { withheld() }

  func withheld() -> AgentSecret { AgentSecret(SecretBytes(Self.failure)) }

  func answer(_ request: UnsafeRawBufferPointer) -> FrameAnswer {
    let locks = service.locks
    do {
      let request = try SSHRequest(decoding: request)
      let answer = AgentSecret(SecretBytes(try carryOut(request, since: locks)))
      if case .sign = request { return FrameAnswer(bytes: answer, locks: locks) }
      return FrameAnswer(bytes: answer)
    } catch {
      // The protocol has no form for a reason. The log has it.
      return FrameAnswer(bytes: withheld())
    }
  }

  /// Carries out a request, if it may be asked from where it comes.
  private func carryOut(_ request: SSHRequest, since locks: UInt64) throws -> Data {
    let (peer, route) = (identity.peer, route.withLock { $0 })
    try service.checkUser(of: peer)
    do {
      try request.kind?.check(Origin(peer, isForwarded: route.isForwarded))
      if case .unlock = request, !ssh.takesPasscode { throw Self.noPasscode }
      // The public halves of a wiped store's keys are still in memory, and are not listed either.
      if request.kind != .sshLock { try service.keybag.checkStore() }
    } catch {
      try service.record(
        request.operation, subject(""), peer, answer: AgentService.known(error).code.rawValue)
      throw error
    }
    switch request {
    case .identities: return try list(route)
    case .sign(let blob, let data, let flags):
      let subject = subject(SSHPublicKey.fingerprint(of: blob))
      var writer = SSHWriter()
      writer.byte(14)
      writer.string(
        try service.recording(request.operation, subject, peer) {
          try sign(data, blob: blob, flags: flags, subject, since: locks)
        })
      return writer.data
    case .add(let key):
      return try change(request, SSHPublicKey.fingerprint(of: key.blob), "to add a key for SSH") {
        service.touch()
        return try service.memoryKeys.add(key) {
          try service.checkNoLock(since: locks)
          try service.checkUnlocked()
        }
      }
    case .remove(let blob):
      return try change(
        request, SSHPublicKey.fingerprint(of: blob), "to remove a key that was added for SSH"
      ) { service.memoryKeys.remove(blob) }
    case .removeAll:
      return try change(request, "all", "to remove all keys that were added for SSH") {
        service.memoryKeys.removeAll()
        return true
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
      do {
        try self.route.withLock {
          try $0.bind(
            host: host, session: session, signature: signature, isForwarding: isForwarding)
        }
      } catch {
        try service.record(
          request.operation, subject(""), peer, answer: AgentService.known(error).code.rawValue)
        throw error
      }
      return Data(Self.success)
    case .other(let text):
      try service.record(
        request.operation, subject(text), peer,
        answer: AtRestError.Code.invalidArgument.rawValue)
      return Data(Self.failure)
    }
  }

  /// Returns what a request is about, with the hosts to which the connection leads.
  private func subject(_ text: String) -> String {
    let hosts = route.withLock { $0.names }
    return hosts.isEmpty ? text : "\(text) for \(hosts.joined(separator: ", "))"
  }

  private func list(_ route: SSHRoute) throws -> Data {
    var all: [(blob: Data, comment: String)] = []
    if !route.isUnproved {
      all = try service.sshKeys().filter { !route.isForwarded || $0.isForwardable }
        .map { ($0.publicKey.blob, $0.tag) }
      all += service.memoryKeys.all().filter { key in
        route.permitsListing(key.destinations) && (!route.isForwarded || !key.destinations.isEmpty)
      }.map { ($0.blob, $0.comment) }
    }
    var writer = SSHWriter()
    writer.byte(12)
    writer.integer(UInt32(all.count))
    for (blob, comment) in all {
      writer.string(blob)
      writer.string(comment)
    }
    return writer.data
  }

  /// Changes the keys in memory, if a grant allows it.
  private func change(
    _ request: SSHRequest, _ text: String, _ purpose: String, _ body: () throws -> Bool
  ) throws -> Data {
    try service.recording(request.operation, subject(text), identity.peer) {
      try service.checkSSHGrant(
        identity.peer, writing: true, group: SSHKeyBook.group, purpose)
      return Data(try body() ? Self.success : Self.failure)
    }
  }

  private func sign(
    _ data: Data, blob: Data, flags: UInt32, _ subject: String, since locks: UInt64
  ) throws -> Data {
    let route = route.withLock { $0 }
    guard !route.isUnproved else { throw Self.isForwarded }
    let signature: Data
    if let key = service.memoryKeys.all().first(where: { $0.blob == blob }) {
      signature = try sign(data, with: key, flags: flags, subject, route, since: locks)
    } else {
      let key = try service.sshKey(blob)
      guard !route.isForwarded || key.isForwardable else { throw Self.isForwarded }
      try service.checkSSHGrant(
        identity.peer, writing: false, group: key.group, "to sign with \(subject)")
      signature = try service.sshSign(data, with: key, flags: flags)
    }
    try service.checkNoLock(since: locks)
    return signature
  }

  /// Signs with a key of `ssh-add`.
  private func sign(
    _ data: Data, with key: SSHMemoryKeys.Key, flags: UInt32, _ subject: String,
    _ route: SSHRoute, since locks: UInt64
  ) throws -> Data {
    guard !route.isForwarded || !key.destinations.isEmpty else { throw Self.isForwarded }
    guard route.permitsSigning(key.destinations, data, key: key.blob) else {
      throw AtRestError(
        .notPermitted, "The key was added for other destinations.",
        remedy: "Add it with ssh-add -h for this one.")
    }
    let (peer, group) = (identity.peer, SSHKeyBook.group)
    let isGranted = try service.isGranted(group, to: peer, writing: false)
    try service.checkSSHGrant(peer, writing: false, group: group, "to sign with \(subject)")
    if key.needsConfirmation {
      try service.questioner.confirm(
        "Allow the use of the key \(Question.shown(key.comment)) (\(subject))?",
        by: ssh.confirmation)
    }
    // The user may have taken a minute. Lock, key and grant may be others now.
    try service.checkNoLock(since: locks)
    try service.checkUnlocked()
    guard service.memoryKeys.has(key) else {
      throw AtRestError(
        .notFound, "The key was removed meanwhile.", remedy: "Add it again with ssh-add.")
    }
    if isGranted {
      guard try service.isGranted(group, to: peer, writing: false) else {
        throw AtRestError(
          .notPermitted, "The grant was removed meanwhile.",
          remedy: "Give one with atrest grant add.")
      }
    }
    service.touch()
    return try key.signature(for: data, flags: flags)
  }

  private static let isForwarded = AtRestError(
    .notPermitted, "The key is not for forwarded connections.",
    remedy: "Use ProxyJump, or a key in the access group \(SSHKeyBook.forwardableGroup).")

  private static let noPasscode = AtRestError(
    .notPermitted, "The passcode is not taken over the socket for SSH.",
    remedy: "Use atrest unlock, or start the agent with --ssh-unlock.")
}
