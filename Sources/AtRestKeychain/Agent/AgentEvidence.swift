/// A fact about a process that asks the agent, on which a grant can rest.
///
/// Two facts are equal if their bytes are: a file system can have two files whose names differ in their
/// bytes only, such as the two forms of “é”.
@_spi(Tools) public struct AgentEvidence: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The kinds of facts, from the strongest to the weakest.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The label of a security module, such as an AppArmor profile, if it confines the program. The
    /// kernel vouches for it.
    case label
    /// The identifier of a Flatpak application. Programs in a sandbox cannot change it, but a program
    /// without one can make a sandbox with any identifier.
    case flatpak
    /// A unit of the system's service manager.
    case unit
    /// The number of a group that the user is not in, so the program has it by its set-group-ID bit.
    case unixGroup = "unix-group"
    /// The path of a program that only root can replace. It stays the same when the system updates the
    /// program. Another program of the same user can take control of the process, so this fact is only
    /// a hint.
    case systemProgram = "system-program"
    /// The path and the SHA-256 digest of another program. It is as weak as ``systemProgram``.
    case program
    /// The terminal and the session of `atrest` in which the user typed the passcode. No grant rests on
    /// it.
    case terminal
    /// The number of the user: every program of this user.
    case user
  }

  /// The kind of fact.
  public let kind: Kind
  /// The fact.
  public let value: String

  /// Creates evidence.
  public init(_ kind: Kind, _ value: String) {
    self.kind = kind
    self.value = value
  }

  public var description: String { "\(kind.rawValue)=\(value)" }

  /// True if another program of the same user cannot produce this evidence.
  public var holdsAgainstOtherPrograms: Bool {
    kind == .label || kind == .unit || kind == .unixGroup
  }

  /// True if the evidence means the same for a process in a sandbox, which chooses the files that its
  /// programs read.
  public var holdsInSandboxes: Bool { holdsAgainstOtherPrograms || kind == .flatpak }
}

@_spi(Tools) extension AgentEvidence {
  public static func == (one: AgentEvidence, other: AgentEvidence) -> Bool {
    one.kind == other.kind && one.value.hasSameBytes(as: other.value)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(Array(value.utf8))
  }
}
