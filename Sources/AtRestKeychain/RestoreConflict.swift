import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The ways to handle an item of a backup that already exists.
public enum RestoreConflict: String, Sendable, CaseIterable {
  /// Nothing is restored at all.
  case refuse
  /// The existing item stays.
  case keep
  /// The backup's item replaces the existing one.
  case replace
}
