/// The result of a check of the whole keychain.
public struct VerificationReport: Sendable {
  /// A part of the keychain that differs from what was written.
  public struct Problem: Sendable {
    /// The affected item, or nil if it cannot be determined.
    public let reference: PersistentReference?
    /// A description of the problem.
    public let message: String
  }

  /// The number of rows that were checked.
  public let itemCount: Int
  /// The number of rows that were locked, and therefore compared with the index but not opened.
  public let lockedCount: Int
  /// The problems. The array is empty if everything matches what was written.
  public let problems: [Problem]
}
