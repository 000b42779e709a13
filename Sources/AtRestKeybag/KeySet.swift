import Foundation

/// One set of class keys, wrapped, as it is stored in the keybag.
struct KeySet {
  struct Entry {
    /// Drawn with each class key, so that a class key that is gone for good is known to be.
    var id: UInt64
    /// The public half, for class B.
    var publicKey: Data
    var wrapped: Data
  }

  /// One for the first set of a store, one more with each first passcode.
  var number: UInt32
  var entries: [KeyClass: Entry]
}
