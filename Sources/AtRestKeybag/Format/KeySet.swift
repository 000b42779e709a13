import Foundation

/// A set of wrapped class keys, as the keybag stores it.
struct KeySet {
  struct Entry {
    /// A random number that identifies a class key, so that the permanent loss of a key is
    /// detected.
    var id: UInt64
    /// The public key of class B, whose class key is a private key. Empty for other classes.
    var publicKey: Data
    var wrapped: Data
  }

  /// The number of the set: 1 for a store's first set. Setting a passcode on a store that has none
  /// adds a set with the next number.
  var number: UInt32
  var entries: [KeyClass: Entry]
}
