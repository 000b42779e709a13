@_spi(Tools) import AtRestKeychain

extension AgentGrant {
  /// Returns true if the grant is for a process: its evidence is true of the process, and means the same
  /// in a sandbox if the process is in one.
  func fits(_ peer: Peer) -> Bool {
    guard !peer.isSandboxed || evidence.holdsInSandboxes || isForSandboxes else { return false }
    return peer.has(evidence)
  }
}
