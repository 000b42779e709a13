import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The numbers of items that a restore stored, kept and left out.
public struct RestoreSummary: Sendable, Hashable {
  /// The number of items that are now as in the backup.
  public internal(set) var restored = 0
  /// The number of items that existed and were kept as they were.
  public internal(set) var kept = 0
  /// The number of items that are bound to the device of the backup, which is not this one.
  public package(set) var leftOut = 0

  package init() {}
}
