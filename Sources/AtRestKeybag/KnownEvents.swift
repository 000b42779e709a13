import AtRestCrypto

/// The knowledge of an open keybag about the events of its store. See `docs/Architecture.md`, *Events of a
/// store*.
struct KnownEvents {
  /// The number of ``LockNotice`` on which this keybag has acted.
  var heeded: UInt32?
  /// True if a lock in all processes also locks this keybag.
  var followsLocks = false
  /// The last event that erased keys.
  var erasure = StoreErasure()
  /// True if this is the agent's keybag, for which others wait after a lock.
  var confirmsLocks = false
  /// True if an event locked this keybag, which was unlocked.
  var wasUnlocked = false
  /// The store's files when they were last read.
  var marks: StoreSight.Marks?
  /// The reason why this keybag can never be used again: the store was wiped, or another one is in its
  /// place.
  var end: AtRestError?
}
