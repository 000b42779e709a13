import AtRestCrypto
import AtRestKeychain
import CAtRestPeer
import Foundation

/// The process at the other end of a connection, as the kernel describes it.
public struct Peer: Sendable {
  /// The number of the user.
  public let user: UInt32
  /// The number of the process. It is a hint only, because numbers are reused.
  public let process: Int32
  /// True if the process may have another view of the files than the agent. Then only evidence that
  /// ``AgentEvidence/holdsInSandboxes`` counts, unless a grant says otherwise.
  let isSandboxed: Bool
  /// The terminal, if the process is `atrest` in the foreground of one.
  let terminal: TerminalSession?
  private let facts: [AgentEvidence]
  private let program: RunningProgram?
  private let digests: ProgramDigests

  /// Creates a peer with given facts.
  public init(user: UInt32, process: Int32, evidence: [AgentEvidence]) {
    self.user = user
    self.process = process
    facts = evidence
    (isSandboxed, terminal, program, digests) = (false, nil, nil, ProgramDigests())
  }

  /// Examines the process at the other end of a connected Unix socket.
  ///
  /// The user and the label come from the socket. Other facts come from `/proc`, and count only if
  /// the process still runs after they were read, so they cannot be those of a later process with
  /// the same number. Nothing of a program is read but the properties of its file.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the socket has no peer.
  public init(socket: Int32, digests: ProgramDigests) throws {
    var peer = atrest_peer()
    guard atrest_get_peer(socket, &peer) == 0 else {
      throw AtRestError(
        .system, "Could not identify the process: \(String(cString: strerror(errno))).",
        remedy: "Connect over a Unix socket.")
    }
    defer { if peer.descriptor >= 0 { close(peer.descriptor) } }
    user = peer.user
    process = peer.process
    self.digests = digests
    var facts: [AgentEvidence] = []
    var label = [CChar](repeating: 0, count: 512)
    let length = atrest_get_peer_label(socket, &label, label.count)
    var text: String?
    if length > 0 {
      let bytes = label[..<Int(length)].map { UInt8(bitPattern: $0) }
      text = SecurityLabel.evidence(bytes, common: CommonEvidence.own.labels)
      if let text { facts.append(AgentEvidence(.label, text)) }
    }
    if UserGroups.isForeign(peer.group) {
      facts.append(AgentEvidence(.unixGroup, String(peer.group)))
    }
    let folder = ProcessFolder(peer.process)
    let (flatpak, unit) = (folder.flatpak, folder.unit(of: peer.user))
    let (found, isSandboxed, terminal) = (folder.program, folder.isSandboxed, folder.terminal)
    // Nothing of what was read counts if the process has ended.
    let isRunning = peer.descriptor >= 0 && atrest_is_running(peer.descriptor) == 1
    if isRunning {
      if let flatpak { facts.append(AgentEvidence(.flatpak, flatpak)) }
      if let unit { facts.append(AgentEvidence(.unit, unit)) }
      program = found
    } else {
      program = nil
    }
    self.isSandboxed = !isRunning || isSandboxed || text?.hasPrefix("snap.") == true
    self.terminal =
      !self.isSandboxed && program?.path == OwnersTerminals.command ? terminal : nil
    self.facts = facts
  }

  /// The facts about the process, the strongest first. The digest of its program is there if it was
  /// computed before.
  public var evidence: [AgentEvidence] {
    facts + programEvidence(digest: digests.known(of:)) + userEvidence
  }

  /// The facts on which a grant for exactly this program can rest, the strongest first.
  var evidenceForGrants: [AgentEvidence] {
    let all =
      facts
      + programEvidence(digest: digests.digest(of:)).filter {
        $0.kind != .program || $0.value.hasDigest
      } + userEvidence
    return isSandboxed ? all.filter { $0.holdsInSandboxes || $0.kind == .user } : all
  }

  /// Returns true if a fact is true of the process.
  func has(_ evidence: AgentEvidence) -> Bool {
    if facts.contains(evidence) || userEvidence.contains(evidence) { return true }
    guard let program else { return false }
    return switch evidence.kind {
    case .systemProgram: program.isSystem && evidence.value == program.path
    case .program where evidence.value == program.path: true
    case .program where evidence.value.hasPrefix(program.path + " "):
      digests.digest(of: program).map { evidence.value == "\(program.path) \($0)" } ?? false
    default: false
    }
  }

  private var userEvidence: [AgentEvidence] {
    // A peer with given facts has all of them.
    facts.contains { $0.kind == .user } ? [] : [AgentEvidence(.user, String(user))]
  }

  private func programEvidence(digest: (RunningProgram) -> String?) -> [AgentEvidence] {
    guard let program else { return [] }
    if program.isSystem { return [AgentEvidence(.systemProgram, program.path)] }
    return [AgentEvidence(.program, program.path + (digest(program).map { " " + $0 } ?? ""))]
  }
}

extension String {
  /// True if the text ends with a SHA-256 digest.
  fileprivate var hasDigest: Bool {
    guard let last = split(separator: " ").last, count > 65 else { return false }
    return last.utf8.count == 64 && last.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }
}
