import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The numbers of items that a restore stored, kept and left out.
public struct RestoreSummary: Sendable, Hashable {
  /// The number of items that were added or replaced.
  public internal(set) var restored = 0
  /// The number of existing items that were kept unchanged.
  public internal(set) var kept = 0
  /// The number of items that were left out because they are bound to another device.
  public package(set) var leftOut = 0

  package init() {}
}
