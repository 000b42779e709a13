/// The result of a check of the whole keychain.
package struct VerificationReport: Sendable {
  /// A part of the keychain that differs from what was written.
  package struct Problem: Sendable {
    /// The affected item, or nil if it cannot be determined.
    package let reference: PersistentReference?
    /// A description of the problem.
    package let message: String
  }

  /// The number of rows that were checked.
  package let itemCount: Int
  /// The number of rows that were locked, and therefore compared with the index but not opened.
  package let lockedCount: Int
  /// The problems. The array is empty if everything matches what was written.
  package let problems: [Problem]
}
