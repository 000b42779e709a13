import AtRestFormats

/// The cause and the effect of one problem: code that stores a value, and the place in a container
/// where the value was found.
public struct JoinedFinding: Hashable, Sendable {
  /// The place that both sides name.
  public let slot: StorageSlot
  /// The places in the code that store the value, at least one, ordered by path and line.
  public let writes: [Location]
  /// The findings in the code about these places. The list is empty if no rule found the value
  /// sensitive.
  public let code: [Finding]
  /// The findings in one file of a container, at least one.
  public let found: [Finding]

  /// Creates a joined finding.
  public init(slot: StorageSlot, writes: [Location], code: [Finding], found: [Finding]) {
    self.slot = slot
    self.writes = writes
    self.code = code
    self.found = found
  }

  /// The highest severity of the findings.
  public var severity: Severity { (code + found).map(\.severity).max() ?? .note }
}
