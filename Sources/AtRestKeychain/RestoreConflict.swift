import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The ways to handle an item of a backup that already exists in the keychain.
public enum RestoreConflict: String, Sendable, CaseIterable {
  /// The restore throws ``AtRestError/Code/duplicate``, and nothing is restored.
  case refuse
  /// The existing item stays.
  case keep
  /// The backup's item replaces the existing one.
  case replace
}
