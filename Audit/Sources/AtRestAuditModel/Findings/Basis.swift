/// The grounds of a finding about a value: its tier, and the code that supports it.
public struct Basis: Hashable, Codable, Sendable {
  public let tier: EvidenceTier
  /// The code that supports the name: uses of the value as a secret. The list is empty if the origin
  /// of the value is the evidence.
  public let witnesses: [Finding.Step]
  /// The value that the finding is about: the type and the name of a property, or the name of a
  /// value in one file. Findings of one rule about one value have one cause.
  package let cause: String?

  /// Creates the basis of a finding.
  public init(_ tier: EvidenceTier, witnesses: [Finding.Step] = []) {
    self.init(tier, witnesses: witnesses, cause: nil)
  }

  package init(_ tier: EvidenceTier, witnesses: [Finding.Step], cause: String?) {
    self.tier = tier
    self.witnesses = witnesses
    self.cause = cause
  }
}
