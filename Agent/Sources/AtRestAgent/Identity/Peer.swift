import AtRestKeychain
import AtRestCrypto
import CAtRestPeer
import Foundation

/// The process at the other end of a connection, as the kernel describes it.
public struct Peer: Sendable {
  /// The number of the user.
  public let user: UInt32
  /// The number of the process. It is a hint only, because numbers are reused.
  public let process: Int32
  /// The facts about the process, the strongest first.
  public let evidence: [AgentEvidence]

  /// Creates a peer with given facts.
  public init(user: UInt32, process: Int32, evidence: [AgentEvidence]) {
    self.user = user
    self.process = process
    self.evidence = evidence
  }

  /// Examines the process at the other end of a connected Unix socket.
  ///
  /// The user and the label come from the socket. Other facts come from `/proc`, and count only if
  /// the process still runs after they were read, so they cannot be those of a later process with
  /// the same number.
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
    var evidence: [AgentEvidence] = []
    var label = [CChar](repeating: 0, count: 512)
    let length = atrest_get_peer_label(socket, &label, label.count)
    if length > 0 {
      let bytes = label[..<Int(length)].map { UInt8(bitPattern: $0) }
      if let text = Self.label(bytes) { evidence.append(AgentEvidence(.label, text)) }
    }
    if UserGroups.isForeign(peer.group) {
      evidence.append(AgentEvidence(.unixGroup, String(peer.group)))
    }
    let folder = ProcessFolder(peer.process)
    let found = folder.evidence(digests: digests)
    if peer.descriptor >= 0, atrest_is_running(peer.descriptor) == 1 { evidence += found }
    evidence.append(AgentEvidence(.user, String(peer.user)))
    self.evidence = evidence
  }

  /// Returns the label in the kernel's bytes, or nil if it distinguishes no program.
  static func label(_ bytes: [UInt8]) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    // A process without a profile shares this label with all others.
    return text.isEmpty || text == "unconfined" ? nil : text
  }
}
