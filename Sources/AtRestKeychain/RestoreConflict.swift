import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The ways to handle an item of a backup that already exists in the keychain.
///
/// An item with the keys of databases is never replaced. The backup's keys that it lacks are added to it,
/// unless the restore is refused, because each may be the only key of a database.
public enum RestoreConflict: String, Sendable, CaseIterable {
  /// The restore throws ``AtRestError/Code/duplicate``, and nothing is restored.
  case refuse
  /// The existing item stays.
  case keep
  /// The backup's item replaces the existing one.
  case replace
}
