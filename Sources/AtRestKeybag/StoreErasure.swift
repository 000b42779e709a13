import Foundation

/// The last event by another process, or the last wipe, that erased keys of a keybag.
@_spi(Tools) public struct StoreErasure: Sendable {
  /// The kinds of events.
  public enum Event: String, Sendable {
    /// A lock in all processes, or an event whose kind is not known yet.
    case lock = "announced"
    /// The passcode was set or changed.
    case passcode = "passcode changed"
    /// The store was wiped or replaced.
    case end = "wiped"
  }

  /// The number of such events so far.
  public private(set) var number: UInt64 = 0
  /// The kind of the last one.
  public private(set) var event = Event.lock
  /// The time of the last one.
  public private(set) var time = Date.distantPast

  mutating func note(_ event: Event) {
    number += 1
    self.event = event
    time = Date()
  }
}
