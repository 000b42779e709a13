@_spi(Tools) import AtRestKeychain

/// The process at the other end of a connection, as the kernel describes it.
package struct Peer: Sendable {
  /// The number of the user.
  package let user: UInt32
  /// The number of the process. It is a hint only, because numbers are reused.
  package let process: Int32
  /// True if the process may have another view of the files than the agent. Then only evidence that
  /// ``AgentEvidence/holdsInSandboxes`` counts, unless a grant says otherwise.
  let isSandboxed: Bool
  /// The terminal, if the process is `atrest` in the foreground of one.
  private(set) var terminal: TerminalSession?
  private let facts: [AgentEvidence]
  private let program: RunningProgram?
  private let digests: ProgramDigests

  /// Creates a peer with given facts.
  package init(user: UInt32, process: Int32, evidence: [AgentEvidence]) {
    self.user = user
    self.process = process
    facts = evidence
    (isSandboxed, terminal, program, digests) = (false, nil, nil, ProgramDigests())
  }

  /// Judges what was seen of a process when it connected. Nothing of its program is read but the
  /// properties of the file. What was not seen gives no right. This may wait for a file system.
  ///
  /// - Throws: ``DescriptorShortage``.
  init(_ seen: SeenProcess, digests: ProgramDigests) throws {
    if seen.lacksDescriptors { throw DescriptorShortage() }
    // The agent's own root says nothing about a process whose root could not be seen.
    let flatpak =
      seen.sharesFiles || seen.root != nil
      ? try FlatpakInfo.find(in: seen.root) : (exists: false, application: nil)
    self.init(
      seen, digests: digests, flatpak: flatpak,
      program: seen.program.flatMap(RunningProgram.init))
  }

  /// Judges a process by what the kernel has in memory, so no program can make the agent wait with a file
  /// system of its own. Returns nil if this is not enough.
  init?(withoutWaiting seen: SeenProcess, digests: ProgramDigests) {
    // The root of a sandbox may be on any file system.
    guard seen.root == nil, !seen.lacksDescriptors else { return nil }
    do {
      let flatpak =
        seen.sharesFiles ? try FlatpakInfo.find(in: nil) : (exists: false, application: nil)
      let program = try seen.program.flatMap(RunningProgram.withoutWaiting)
      self.init(seen, digests: digests, flatpak: flatpak, program: program)
    } catch {
      return nil
    }
  }

  private init(
    _ seen: SeenProcess, digests: ProgramDigests,
    flatpak: (exists: Bool, application: String?), program: RunningProgram?
  ) {
    user = seen.user
    process = seen.process
    self.digests = digests
    var facts: [AgentEvidence] = []
    let label = seen.label.flatMap {
      SecurityLabel.evidence($0, common: CommonEvidence.own.labels)
    }
    if let label { facts.append(AgentEvidence(.label, label)) }
    if UserGroups.isForeign(seen.group) {
      facts.append(AgentEvidence(.unixGroup, String(seen.group)))
    }
    if let application = flatpak.application { facts.append(AgentEvidence(.flatpak, application)) }
    let unit = seen.controlGroups.flatMap(SystemUnit.init(controlGroups:))
    if let unit, unit.isEvidence(for: seen.user) { facts.append(AgentEvidence(.unit, unit.name)) }
    self.facts = facts
    // A path that ends like a digest would be taken for a path with a digest.
    self.program = program.flatMap { $0.path.hasDigest ? nil : $0 }
    let isConfined =
      label.map { $0.hasPrefix("snap.") }
      ?? seen.confiningLabel.map {
        SecurityLabel.confines($0, common: CommonEvidence.own.labels)
      } ?? true
    isSandboxed = !seen.sharesFiles || flatpak.exists || isConfined
    terminal =
      !isSandboxed && program?.path.hasSameBytes(as: OwnersTerminals.command ?? "") == true
      ? seen.status.flatMap(TerminalSession.init(status:)) : nil
  }

  /// The same process without its terminal. A passcode that was typed elsewhere, into a question of the agent,
  /// says nothing about the terminal of the process that made the agent ask.
  var withoutTerminal: Peer {
    var peer = self
    peer.terminal = nil
    return peer
  }

  /// The facts about the process, the strongest first. The digest of its program is there if it was
  /// computed before.
  package var evidence: [AgentEvidence] {
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

  /// Returns true if there is a fact of a kind about the process, other than its program and its user.
  func hasFact(of kind: AgentEvidence.Kind) -> Bool { facts.contains { $0.kind == kind } }

  /// Returns true if a fact is true of the process.
  func has(_ evidence: AgentEvidence) -> Bool {
    if facts.contains(evidence) || userEvidence.contains(evidence) { return true }
    guard let program else { return false }
    return switch evidence.kind {
    case .systemProgram: program.isSystem && evidence.value.hasSameBytes(as: program.path)
    case .program where evidence.value.hasSameBytes(as: program.path): true
    case .program where Self.isVersion(evidence, of: program):
      digests.digest(of: program).map { evidence.value.hasSameBytes(as: "\(program.path) \($0)") }
        ?? false
    default: false
    }
  }

  /// Returns true if the program has to be read to know whether a fact is true of the process.
  func mustRead(for evidence: AgentEvidence) -> Bool {
    guard let program, evidence.kind == .program else { return false }
    return Self.isVersion(evidence, of: program) && digests.known(of: program) == nil
  }

  /// Returns true if evidence names the path of a program, and a digest.
  private static func isVersion(_ evidence: AgentEvidence, of program: RunningProgram) -> Bool {
    evidence.value.utf8.starts(with: (program.path + " ").utf8)
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
