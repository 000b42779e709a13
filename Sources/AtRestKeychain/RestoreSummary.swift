import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The items that a restore stored, kept and left out.
public struct RestoreSummary: Sendable, Hashable {
  /// The number of items that were added or replaced.
  public internal(set) var restored = 0
  /// The number of existing items that were kept unchanged.
  public internal(set) var kept = 0
  /// The items of the former store that were not restored, with the reason for each.
  public package(set) var leftOut: [LeftOutItem] = []
  /// The stores whose protected files open with this store from now on.
  public internal(set) var formerStores: [StoreIdentity] = []

  package init() {}
}
