import Foundation

/// A permission that the agent's owner gave: who may use the items of which access groups.
@_spi(Tools) public struct AgentGrant: Hashable, Sendable, Codable {
  /// The access group that stands for all groups.
  public static let allGroups = "*"
  /// The access group that stands for the keys of the store's protected files.
  public static let filesGroup = "atrest.files"

  /// The number of the grant, which the agent assigns.
  public var id: String
  /// The fact on which the grant rests.
  public let evidence: AgentEvidence
  /// The access groups.
  public let groups: [String]
  /// True if items may be added, changed and deleted.
  public let mayWrite: Bool
  /// True if the grant also holds for programs in a sandbox that have the evidence `user`, `program` or
  /// `system-program`.
  public let isForSandboxes: Bool
  /// The time at which the grant was given.
  public var created: Date

  /// Creates a grant.
  public init(
    id: String = "", _ evidence: AgentEvidence, groups: [String], mayWrite: Bool,
    isForSandboxes: Bool = false, created: Date = Date()
  ) {
    self.id = id
    self.evidence = evidence
    self.groups = groups
    self.mayWrite = mayWrite
    self.isForSandboxes = isForSandboxes
    self.created = created
  }
}

@_spi(Tools) extension AgentGrant {
  /// Two grants are equal if their bytes are, also those of the access groups.
  public static func == (one: AgentGrant, other: AgentGrant) -> Bool {
    one.id == other.id && one.created == other.created && one.givesSame(as: other)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(evidence)
    hasher.combine(groups.map { Array($0.utf8) })
  }

  /// Returns true if both give the same, whatever their numbers and times.
  public func givesSame(as other: AgentGrant) -> Bool {
    evidence == other.evidence && mayWrite == other.mayWrite
      && isForSandboxes == other.isForSandboxes
      && groups.elementsEqual(other.groups) { $0.hasSameBytes(as: $1) }
  }
}
