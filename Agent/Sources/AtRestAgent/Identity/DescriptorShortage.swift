import Foundation

/// The error if a process cannot be looked at because the agent has no descriptor left. It says nothing about the
/// process.
struct DescriptorShortage: Error {
  /// True if the last call of the system failed for this reason.
  static var isReason: Bool { errno == EMFILE || errno == ENFILE }
}
